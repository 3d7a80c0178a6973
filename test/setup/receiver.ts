import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** The exact bytes. */
  raw: Buffer;
  body: string;
  /** The number of earlier requests. */
  index: number;
};

export type ReceiverHandler = (request: ReceivedRequest, response: http.ServerResponse) => void;

export type TestReceiver = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`, or https with `tls`. */
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** The maximum number of concurrent requests so far. */
  openMax(): number;
  /** Resolves with all requests once the condition holds for them; rejects after `timeoutMs`. */
  waitFor(
    condition: (requests: ReceivedRequest[]) => boolean,
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  stop(): Promise<void>;
};

/** Starts a real HTTP server as a merchant’s endpoint, which records requests and responds with 200 by default. */
export async function startReceiver(
  handler: ReceiverHandler = respondWith(200),
  options: { tls?: { key: string; cert: string } } = {},
): Promise<TestReceiver> {
  const requests: ReceivedRequest[] = [];
  const waiters = new Set<() => void>();
  let open = 0;
  let openMax = 0;
  const onRequest = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    openMax = Math.max(openMax, ++open);
    response.on('close', () => open--);
    const raw = Buffer.concat(await Array.fromAsync(incoming));
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, raw, body: raw.toString('utf8'), index: requests.length };
    requests.push(request);
    for (const check of [...waiters]) check();
    handler(request, response);
  };
  const server = options.tls
    ? https.createServer(options.tls, onRequest)
    : http.createServer({ keepAlive: true }, onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    requests,
    openMax: () => openMax,
    waitFor: (condition, timeoutMs = 25_000) => waitUntil(requests, waiters, condition, timeoutMs),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function waitUntil(
  requests: ReceivedRequest[],
  waiters: Set<() => void>,
  condition: (requests: ReceivedRequest[]) => boolean,
  timeoutMs: number,
): Promise<ReceivedRequest[]> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      waiters.delete(check);
      settle();
    };
    const timer = setTimeout(() => {
      const bodies = requests.map(({ body }) => body.slice(0, 200)).join('\n');
      finish(() =>
        reject(new Error(`not received within ${timeoutMs} ms; ${requests.length} requests:\n${bodies}`)),
      );
    }, timeoutMs);
    const check = () => {
      if (condition(requests)) finish(() => resolve(requests));
    };
    waiters.add(check);
    check();
  });
}

export function respondWith(
  status: number,
  headers: http.OutgoingHttpHeaders = {},
  body = '',
): ReceiverHandler {
  return (_, response) => response.writeHead(status, headers).end(body);
}

export function failFirst(count: number): ReceiverHandler {
  return (request, response) => response.writeHead(request.index < count ? 503 : 200).end();
}

/** Responds with 200 while `works` is set, and with the status otherwise. */
export function switchable(status = 500): ReceiverHandler & { works: boolean } {
  const handler: ReceiverHandler & { works: boolean } = Object.assign(
    ((_, response) => response.writeHead(handler.works ? 200 : status).end()) as ReceiverHandler,
    { works: false },
  );
  return handler;
}

export function neverRespond(): ReceiverHandler {
  return () => {};
}

/** Responds with 200 and then sends one byte after another forever. */
export function drip(): ReceiverHandler {
  return (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  };
}

/** Responds with 200 and then sends data forever. */
export function floodResponse(): ReceiverHandler {
  return (_, response) => {
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    const flood = () => {
      while (response.write(chunk));
    };
    response.writeHead(200).on('drain', flood);
    flood();
  };
}
