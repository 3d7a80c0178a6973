import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';

/** Nothing of what waits was taken for so long: the reader is gone, or cannot follow. */
const defaultSlowMs = 10_000;
/** "Try again later": clients connect again, and are told the present state. */
const tryAgainLaterCode = 1013;

/**
 * Closes connections whose reader takes nothing of what it is sent. Answers what ends the watch. What waits meanwhile
 * is one event a subscription: streams wait for theirs to be sent, and fold what changes in between.
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
