import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';

/** A reader that takes no byte for this long is gone or too slow. */
const defaultSlowMs = 10_000;
/** "Try again later": clients reconnect and receive the current state. */
const tryAgainLaterCode = 1013;

/**
 * Closes connections whose client stops reading; returns a function that stops the check. Until then at most
 * one event per subscription is buffered, because streams wait until theirs is sent and merge later changes.
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
