import type { IncomingMessage } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';

/** Nothing of what waits was taken for so long: the reader is gone, or cannot follow. */
const slowMsPreset = 10_000;
/** "Try again later": clients connect again, and are told the present state. */
const tooSlowCode = 1013;

/**
 * Closes connections whose reader takes nothing of what it is sent. Answers what ends the watch. What waits meanwhile
 * is one event a subscription: streams wait for theirs to be sent, and fold what changes in between.
 */
export function dropSlowReaders(sockets: WebSocketServer, slowMs = slowMsPreset): () => void {
  const raws = new WeakMap<WebSocket, IncomingMessage['socket']>();
  const stuck = new WeakMap<WebSocket, { taken: number; since: number }>();
  sockets.on('connection', (client: WebSocket, { socket }: IncomingMessage) => raws.set(client, socket));
  const check = (client: WebSocket) => {
    const raw = raws.get(client);
    if (!raw || client.readyState !== client.OPEN) return;
    if (raw.writableLength === 0) return stuck.delete(client);
    const taken = raw.bytesWritten - raw.writableLength;
    const before = stuck.get(client);
    const now = performance.now();
    if (before?.taken !== taken) return stuck.set(client, { taken, since: now });
    if (now - before.since >= slowMs) client.close(tooSlowCode, 'Client reads too slowly');
  };
  const timer = setInterval(() => {
    for (const client of sockets.clients) check(client);
  }, slowMs / 5);
  timer.unref();
  return () => clearInterval(timer);
}
