import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { hasBody } from './has-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests that may take their time: files, and what waits on purpose. */
    unhurried?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** How long it may still wait for its answer. */
    waiting: Waiting | null;
  }
}

/** No request waits longer for its answer, whatever hangs: a database, a lock, a disk. */
const answerMsMax = 9_000;

type Waiting = { leftMs: number; since: number; timer: NodeJS.Timeout };

/**
 * Answers 503 `unavailable` to a request whose work has not ended in time; the time in which its body arrives does not
 * count. The work goes on, whole or not at all: the repeat with the same Idempotency-Key tells what became of it. Nothing
 * is done to an answer that has begun, such as a stream, nor where the client has gone.
 */
export function answerInTime(app: FastifyInstance, limitMs = answerMsMax): void {
  app.decorateRequest('waiting', null);

  const run = (request: FastifyRequest, reply: FastifyReply, leftMs: number): void => {
    const timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;
      if (request.routeOptions.config.unhurried?.(request)) return;
      reply.send(
        new DomainError('unavailable', `No response within ${limitMs / 1_000} s; retry the request`),
      );
    }, leftMs);
    // Of a client that has gone it goes on for nothing, and keeps no process from ending.
    timer.unref();
    request.waiting = { leftMs, since: performance.now(), timer };
  };

  app.addHook('onRequest', (request, reply, done) => {
    run(request, reply, limitMs);
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { waiting } = request;
    if (waiting && hasBody(request.raw)) {
      clearTimeout(waiting.timer);
      waiting.leftMs -= performance.now() - waiting.since;
    }
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (request.waiting && hasBody(request.raw)) run(request, reply, Math.max(0, request.waiting.leftMs));
    done();
  });
  // From here on it is on its way: a stream may wait for its first part.
  app.addHook('onSend', ({ waiting }, _reply, _payload, done) => {
    clearTimeout(waiting?.timer);
    done();
  });
}
