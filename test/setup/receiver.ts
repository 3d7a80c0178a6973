import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  /** The exact bytes. */
  raw: Buffer;
  body: string;
  /** How many requests came before it. */
  index: number;
};

export type ReceiverHandler = (request: ReceivedRequest, response: http.ServerResponse) => void;

export type Receiver = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`, or https with `tls`. */
  url: string;
  port: number;
  requests: ReceivedRequest[];
  /** The most requests that were open at one time. */
  openMax(): number;
  /** Resolves with all requests once the condition holds for them; rejects after `timeoutMs`. */
  waitFor(
    condition: (requests: ReceivedRequest[]) => boolean,
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  stop(): Promise<void>;
};

/** A merchant's endpoint: a real HTTP server that keeps what it gets and answers as told; 200 unless said otherwise. */
export async function startReceiver(
  handler: ReceiverHandler = answering(200),
  options: { tls?: { key: string; cert: string } } = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let open = 0;
  let openMax = 0;
  const onRequest = async (incoming: http.IncomingMessage, response: http.ServerResponse) => {
    openMax = Math.max(openMax, ++open);
    response.on('close', () => open--);
    const raw = Buffer.concat(await Array.fromAsync(incoming));
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, raw, body: raw.toString('utf8'), index: requests.length };
    requests.push(request);
    for (const check of [...waiting]) check();
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
    waitFor: (condition, timeoutMs = 25_000) => waitUntil(requests, waiting, condition, timeoutMs),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function waitUntil(
  requests: ReceivedRequest[],
  waiting: Set<() => void>,
  condition: (requests: ReceivedRequest[]) => boolean,
  timeoutMs: number,
): Promise<ReceivedRequest[]> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      waiting.delete(check);
      settle();
    };
    const timer = setTimeout(() => {
      const seen = requests.map(({ body }) => body.slice(0, 200)).join('\n');
      end(() =>
        reject(new Error(`not received within ${timeoutMs} ms; ${requests.length} requests:\n${seen}`)),
      );
    }, timeoutMs);
    const check = () => {
      if (condition(requests)) end(() => resolve(requests));
    };
    waiting.add(check);
    check();
  });
}

export function answering(
  status: number,
  headers: http.OutgoingHttpHeaders = {},
  body = '',
): ReceiverHandler {
  return (_, response) => response.writeHead(status, headers).end(body);
}

/** Answers 503 to the first requests, then 200. */
export function failingFirst(count: number): ReceiverHandler {
  return (request, response) => response.writeHead(request.index < count ? 503 : 200).end();
}

/** Answers as the flag says at each time: works, or fails with the status. */
export function switchable(status = 500): ReceiverHandler & { works: boolean } {
  const handler: ReceiverHandler & { works: boolean } = Object.assign(
    ((_, response) => response.writeHead(handler.works ? 200 : status).end()) as ReceiverHandler,
    { works: false },
  );
  return handler;
}

/** Takes requests and never answers. */
export function silent(): ReceiverHandler {
  return () => {};
}

/** Answers 200 at once and then sends one byte after another for ever. */
export function dripping(): ReceiverHandler {
  return (_, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  };
}

/** Answers 200 and then sends as much as is taken, for ever. */
export function flooding(): ReceiverHandler {
  return (_, response) => {
    const chunk = Buffer.alloc(64 * 1_024, 'x');
    const flood = () => {
      while (response.write(chunk));
    };
    response.writeHead(200).on('drain', flood);
    flood();
  };
}

/** A TCP server that speaks for itself, until the test ends. */
export async function startRaw(onConnection: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    onConnection(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
