import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';

/** A client that reads no byte for this time is unreachable or too slow. */
const defaultSlowMs = 10_000;
/** The close code "Try again later", after which clients reconnect and receive the current state. */
const tryAgainLaterCode = 1013;

/**
 * Closes connections whose client stops reading. Returns a function that ends the checks. At most one event per
 * subscription is buffered for a client, because a stream waits until its event is sent.
 */
export function dropSlowReaders(sockets: WebSocketServer, slowMs = defaultSlowMs): () => void {
  const rawSockets = new WeakMap<WebSocket, IncomingMessage['socket']>();
  const stalledClients = new WeakMap<WebSocket, { bytesFlushed: number; since: number }>();
  sockets.on('connection', (client: WebSocket, { socket }: IncomingMessage) =>
    rawSockets.set(client, socket),
  );
  const check = (client: WebSocket) => {
    const rawSocket = rawSockets.get(client);
    if (!rawSocket || client.readyState !== client.OPEN) return;
    if (rawSocket.writableLength === 0) return stalledClients.delete(client);
    const bytesFlushed = rawSocket.bytesWritten - rawSocket.writableLength;
    const previous = stalledClients.get(client);
    const now = performance.now();
    if (previous?.bytesFlushed !== bytesFlushed)
      return stalledClients.set(client, { bytesFlushed, since: now });
    if (now - previous.since >= slowMs) client.close(tryAgainLaterCode, 'Client reads too slowly');
  };
  const timer = setInterval(() => {
    for (const client of sockets.clients) check(client);
  }, slowMs / 5);
  timer.unref();
  return () => clearInterval(timer);
}
