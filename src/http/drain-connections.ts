import type { Server } from 'node:http';
import net from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import type { Hub } from '../live/hub.ts';

/**
 * After the stop signal, closes each connection with its next response, so that clients and proxies with keep-alive
 * connections switch to another process before the listener closes. The connection of an event stream always closes
 * with the stream, even before the signal.
 */
export function drainConnections(app: FastifyInstance, stopping: AbortSignal): void {
  stopping.addEventListener('abort', () => {
    // A listener of the server also covers responses that are sent outside of Fastify.
    app.server.prependListener('request', (_request, response) => {
      response.setHeader('connection', 'close');
    });
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.aborted || isEventStream(reply)) reply.header('connection', 'close');
    done();
  });
}

/**
 * Cuts event streams when the process stops, without a final event. Clients treat such an event as the regular end of
 * their subscription and do not reconnect.
 */
export function cutStreams(app: FastifyInstance, hub: Hub): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (!isEventStream(reply)) return done();
    if (hub.isClosed())
      return done(new DomainError('unavailable', 'The service is restarting. Retry the request'));
    const removeListener = hub.onClose(() => reply.raw.destroy());
    reply.raw.once('close', removeListener);
    done();
  });
}

function isEventStream(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
}

/** Event-loop iterations shorter than this are considered idle. */
const idleIterationMs = 1;
/** The listener is closed after this many iterations, even if none was idle. */
const iterationsMax = 1_000;

/**
 * Stops accepting connections. Closing the listener drops connections in the kernel's accept queue, so the listener is
 * closed right after an iteration that accepted none. Resolves once the listener is closed; `ended` resolves once all
 * connections have ended.
 */
export async function stopListening(server: Server): Promise<{ ended: Promise<void> }> {
  let hasAccepted = false;
  const onConnection = () => {
    hasAccepted = true;
  };
  server.on('connection', onConnection);
  try {
    return await new Promise((resolve) => {
      const poll = (iteration: number, startedAt: number) =>
        setImmediate(() => {
          const now = performance.now();
          const isIdle = !hasAccepted && now - startedAt <= idleIterationMs;
          hasAccepted = false;
          if (!isIdle && iteration < iterationsMax) return poll(iteration + 1, now);
          // Bypasses `close` of the HTTP server, which would also close idle connections.
          const ended = new Promise<void>((end) => net.Server.prototype.close.call(server, () => end()));
          return resolve({ ended });
        });
      // The current iteration has already polled for connections, so its rest is never considered idle.
      poll(1, Number.NEGATIVE_INFINITY);
    });
  } finally {
    server.off('connection', onConnection);
  }
}
