import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

export type ReverseProxy = {
  url: string;
  /** The requests to which no upstream responded, and which got 502. */
  failed: string[];
  stop(): Promise<void>;
};

/** Methods that may be retried on another upstream after a broken connection (RFC 9110). */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The interval of health checks. */
const healthCheckMs = 100;

/**
 * Starts a reverse proxy with the defaults of nginx: round robin, persistent upstream connections, buffered request
 * bodies, and the next upstream after a failed connection or a broken idempotent request, otherwise 502. With
 * `checksHealth`, upstreams that are not ready get no requests while another is ready, as with Caddy and HAProxy.
 */
export async function startProxy(
  upstreams: () => readonly string[],
  { checksHealth = false }: { checksHealth?: boolean } = {},
): Promise<ReverseProxy> {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 16 });
  const failed: string[] = [];
  let nextIndex = 0;
  const unready = new Set<string>();
  const getUpstreams = (): string[] => {
    const ready = upstreams().filter((url) => !unready.has(url));
    const all = ready.length > 0 ? ready : upstreams();
    const first = nextIndex++ % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  };
  const checkHealth = async (url: string) => {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) unready.delete(url);
    else unready.add(url);
  };
  const healthTimer = checksHealth
    ? setInterval(() => void Promise.all(upstreams().map(checkHealth)), healthCheckMs)
    : undefined;

  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    for (const upstream of getUpstreams()) {
      const result = await send(upstream, { agent, request, body });
      if (result instanceof http.IncomingMessage) {
        const { connection, 'keep-alive': _, ...headers } = result.headers;
        response.writeHead(result.statusCode!, headers);
        result.on('error', () => response.destroy());
        result.pipe(response);
        return;
      }
      if (result.isConnected && !idempotent.has(request.method!)) break;
    }
    failed.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('upgrade', (request, socket, head) => join(getUpstreams(), { request, socket, head }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed,
    async stop() {
      clearInterval(healthTimer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type ProxiedRequest = { agent: http.Agent; request: http.IncomingMessage; body: Buffer };

/** Returns the response, or whether the connection broke after it was established. */
function send(
  upstream: string,
  { agent, request, body }: ProxiedRequest,
): Promise<http.IncomingMessage | { isConnected: boolean }> {
  return new Promise((resolve) => {
    const { connection, ...headers } = request.headers;
    let isConnected = false;
    const sent = http.request(`${upstream}${request.url}`, { agent, method: request.method!, headers });
    sent.on('socket', (socket) => {
      isConnected = !socket.connecting;
      if (isConnected) return;
      socket.once('connect', () => {
        isConnected = true;
      });
    });
    sent.on('response', resolve);
    sent.on('error', () => resolve({ isConnected }));
    sent.end(body);
  });
}

type Upgrade = { request: http.IncomingMessage; socket: NodeJS.ReadWriteStream; head: Buffer };

/** Forwards the bytes of a WebSocket in both directions. */
function join([first, ...others]: string[], upgrade: Upgrade): void {
  const { request, socket, head } = upgrade;
  if (!first) {
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    return;
  }
  const { hostname, port } = new URL(first);
  const upstream = net.connect(Number(port), hostname);
  const onRefused = () => join(others, upgrade);
  upstream.once('error', onRefused);
  upstream.once('connect', () => {
    upstream.off('error', onRefused);
    const lines = request.rawHeaders.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    upstream.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`);
    upstream.write(head);
    upstream.pipe(socket).on('error', () => upstream.destroy());
    socket.pipe(upstream).on('error', () => socket.end());
  });
}
