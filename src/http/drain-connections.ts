import type { Server } from 'node:http';
import net from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * Once the process is to stop, each answer is the last of its connection, also to what was asked before: clients and
 * proxies that keep connections go elsewhere with their next request, before anything is closed under them. So is that
 * of a stream at any time, which ends with the process.
 */
export function drainConnections(app: FastifyInstance, stopping: AbortSignal): void {
  stopping.addEventListener('abort', () => {
    // What is answered past the framework too.
    app.server.prependListener('request', (_request, response) => {
      response.setHeader('connection', 'close');
    });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
    if (stopping.aborted || isStream) reply.header('connection', 'close');
    done();
  });
}

/** A turn of the event loop that took no longer did nothing else. */
const idleTurnMs = 1;
/** On a machine that is never calm it is closed all the same. */
const turnsMax = 1_000;

/**
 * Takes no more connections. Those that nobody has taken yet stand in a queue of the system's, which is thrown away with
 * whatever they asked: so it is closed right after a look that found it empty. Resolves once the queue is closed; `ended`
 * once all connections have ended.
 */
export async function stopListening(server: Server): Promise<{ ended: Promise<void> }> {
  let hasAccepted = false;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  try {
    return await new Promise((resolve) => {
      const poll = (turn: number, since: number) =>
        setImmediate(() => {
          const now = performance.now();
          const isIdle = !hasAccepted && now - since <= idleTurnMs;
          hasAccepted = false;
          if (!isIdle && turn < turnsMax) return poll(turn + 1, now);
          // Past the HTTP server's own, which would close idle connections too.
          const ended = new Promise<void>((end) => net.Server.prototype.close.call(server, () => end()));
          return resolve({ ended });
        });
      // The first turn is the rest of this one, which has looked already: it does not count.
      poll(1, Number.NEGATIVE_INFINITY);
    });
  } finally {
    server.off('connection', onConnection);
  }
}
