import autocannon from 'autocannon';
import { processCpuMs, processTreeCpuMs } from './cpu.ts';

export type LoadOptions = {
  url: string;
  /** The server under load and the main process of its PostgreSQL. */
  serverPid: number;
  postgresPid: number;
  seconds: number;
  /** Called for every request. */
  request(): { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string };
};

export type LoadFigures = {
  perSecond: number;
  p50: number;
  p99: number;
  serverCpuMs: number;
  postgresCpuMs: number;
};

const connections = 16;

/** Loads a server for some seconds with 16 connections. Throws if a request fails or its response is not 2xx. */
export async function runLoad(options: LoadOptions): Promise<LoadFigures> {
  await tryOnce(options);
  const before = { server: processCpuMs(options.serverPid), postgres: processTreeCpuMs(options.postgresPid) };
  const result = await autocannon({
    url: options.url,
    connections,
    duration: options.seconds,
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...options.request() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers other than 2xx and ${result.errors} errors of ${options.url}`);
  }
  const requests = result.requests.total;
  return {
    perSecond: requests / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    serverCpuMs: (processCpuMs(options.serverPid) - before.server) / requests,
    postgresCpuMs: (processTreeCpuMs(options.postgresPid) - before.postgres) / requests,
  };
}

/** Sends one request to report its error, because the load would only count errors. */
async function tryOnce({ url, request }: LoadOptions): Promise<void> {
  const { path, ...init } = request();
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  if (!response.ok || text.includes('"errors"'))
    throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
}
