import http from 'node:http';
import net, { type AddressInfo } from 'node:net';

export type ReverseProxy = {
  url: string;
  /** Requests that got no answer of an upstream: 502. */
  failed: string[];
  stop(): Promise<void>;
};

/** Sent again to another upstream also when a connection breaks: doing them twice does no harm (RFC 9110). */
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** So often an upstream is asked how it is, where that is asked at all. */
const healthMs = 100;

/**
 * A plain reverse proxy that does what nginx does by default: upstreams in turn, connections to them kept between
 * requests, bodies read before they are sent on; the next upstream when one cannot be connected to, or breaks off an
 * idempotent request; else 502. With `looksAtHealth` it does what Caddy and HAProxy do when told to: those that say
 * that they are not ready get nothing while another is.
 */
export async function startProxy(
  upstreams: () => readonly string[],
  { looksAtHealth = false }: { looksAtHealth?: boolean } = {},
): Promise<ReverseProxy> {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 16 });
  const failed: string[] = [];
  let turn = 0;
  const unready = new Set<string>();
  const inTurn = (): string[] => {
    const ready = upstreams().filter((url) => !unready.has(url));
    const all = ready.length > 0 ? ready : upstreams();
    const first = turn++ % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  };
  const look = async (url: string) => {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) unready.delete(url);
    else unready.add(url);
  };
  const looking = looksAtHealth
    ? setInterval(() => void Promise.all(upstreams().map(look)), healthMs)
    : undefined;

  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request));
    for (const upstream of inTurn()) {
      const answer = await send(upstream, { agent, request, body });
      if (answer instanceof http.IncomingMessage) {
        const { connection, 'keep-alive': _, ...headers } = answer.headers;
        response.writeHead(answer.statusCode!, headers);
        answer.on('error', () => response.destroy());
        answer.pipe(response);
        return;
      }
      if (answer.isConnected && !idempotent.has(request.method!)) break;
    }
    failed.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  server.on('upgrade', (request, socket, head) => join(inTurn(), { request, socket, head }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed,
    async stop() {
      clearInterval(looking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Passed = { agent: http.Agent; request: http.IncomingMessage; body: Buffer };

/** The answer, or whether there was a connection that broke before one. */
function send(
  upstream: string,
  { agent, request, body }: Passed,
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

/** A WebSocket: the bytes of both sides, as they come. */
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
