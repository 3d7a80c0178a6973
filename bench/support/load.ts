import autocannon from 'autocannon';
import { readProcessCpuMs, readProcessTreeCpuMs } from './cpu.ts';

export type LoadOptions = {
  url: string;
  serverPid: number;
  /** The main process of the server's PostgreSQL. */
  postgresPid: number;
  seconds: number;
  createRequest(): { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string };
};

export type LoadMeasurement = {
  perSecond: number;
  p50: number;
  p99: number;
  serverCpuMsPerRequest: number;
  postgresCpuMsPerRequest: number;
};

const connections = 16;

/** Throws if a request fails or its response is not 2xx. */
export async function runLoad(options: LoadOptions): Promise<LoadMeasurement> {
  await tryOnce(options);
  const before = {
    server: readProcessCpuMs(options.serverPid),
    postgres: readProcessTreeCpuMs(options.postgresPid),
  };
  const result = await autocannon({
    url: options.url,
    connections,
    duration: options.seconds,
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...options.createRequest() }) }],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers other than 2xx and ${result.errors} errors of ${options.url}`);
  }
  const requests = result.requests.total;
  return {
    perSecond: requests / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    serverCpuMsPerRequest: (readProcessCpuMs(options.serverPid) - before.server) / requests,
    postgresCpuMsPerRequest: (readProcessTreeCpuMs(options.postgresPid) - before.postgres) / requests,
  };
}

/** Sends one request, in order to report its error: the load generator only counts errors. */
async function tryOnce({ url, createRequest }: LoadOptions): Promise<void> {
  const { path, ...init } = createRequest();
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  if (!response.ok || text.includes('"errors"'))
    throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
}
