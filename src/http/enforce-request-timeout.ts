import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import { hasBody } from './has-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests that may take their time: files, and what waits on purpose. */
    timeoutExempt?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** How long it may still wait for its answer. */
    responseTimer: ResponseTimer | null;
  }
}

/** No request waits longer for its answer, whatever hangs: a database, a lock, a disk. */
const requestTimeoutMs = 9_000;

type ResponseTimer = { leftMs: number; since: number; timer: NodeJS.Timeout };

/**
 * Answers 503 `unavailable` to a request whose work has not ended in time; the time in which its body arrives does not
 * count. The work goes on, whole or not at all: the repeat with the same Idempotency-Key tells what became of it. Nothing
 * is done to an answer that has begun, such as a stream, nor where the client has gone.
 */
export function enforceRequestTimeout(app: FastifyInstance, limitMs = requestTimeoutMs): void {
  app.decorateRequest('responseTimer', null);

  const startTimer = (request: FastifyRequest, reply: FastifyReply, leftMs: number): void => {
    const timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;
      if (request.routeOptions.config.timeoutExempt?.(request)) return;
      reply.send(
        new DomainError('unavailable', `No response within ${limitMs / 1_000} s; retry the request`),
      );
    }, leftMs);
    // Of a client that has gone it goes on for nothing, and keeps no process from ending.
    timer.unref();
    request.responseTimer = { leftMs, since: performance.now(), timer };
  };

  app.addHook('onRequest', (request, reply, done) => {
    startTimer(request, reply, limitMs);
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { responseTimer } = request;
    if (responseTimer && hasBody(request.raw)) {
      clearTimeout(responseTimer.timer);
      responseTimer.leftMs -= performance.now() - responseTimer.since;
    }
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (request.responseTimer && hasBody(request.raw))
      startTimer(request, reply, Math.max(0, request.responseTimer.leftMs));
    done();
  });
  // From here on it is on its way: a stream may wait for its first part.
  app.addHook('onSend', ({ responseTimer }, _reply, _payload, done) => {
    clearTimeout(responseTimer?.timer);
    done();
  });
}
