import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request is exempt from the timeout, because it transfers files or waits on purpose. */
    isTimeoutExempt?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** The remaining time until the request times out. */
    responseTimer: ResponseTimer | null;
  }
}

/** The longest time until a response, even if the database, a lock or a disk hangs. */
const requestTimeoutMs = 9_000;

type ResponseTimer = {
  remainingMs: number;
  startedAt: number;
  timer: NodeJS.Timeout;
  hasExpired: boolean;
};

/**
 * Sends 503 `unavailable` for a request that exceeds the limit, not counting the time in which its body
 * arrives. The work of the request continues, and completes or rolls back; a retry with the same Idempotency-Key
 * returns the outcome. A response that has started, such as a stream, is not affected.
 */
export function enforceRequestTimeout(app: FastifyInstance, limitMs = requestTimeoutMs): void {
  app.decorateRequest('responseTimer', null);

  const startTimer = (request: FastifyRequest, reply: FastifyReply, remainingMs: number): void => {
    const timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return;
      if (request.routeOptions.config.isTimeoutExempt?.(request)) return;
      if (request.responseTimer) request.responseTimer.hasExpired = true;
      reply.send(
        new DomainError('unavailable', `No response within ${limitMs / 1_000} s; retry the request`),
      );
    }, remainingMs);
    // The timer of a disconnected client must not keep the process alive.
    timer.unref();
    request.responseTimer = { remainingMs, startedAt: performance.now(), timer, hasExpired: false };
  };

  app.addHook('onRequest', (request, reply, done) => {
    startTimer(request, reply, limitMs);
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const { responseTimer } = request;
    if (responseTimer && hasBody(request.raw)) {
      clearTimeout(responseTimer.timer);
      responseTimer.remainingMs -= performance.now() - responseTimer.startedAt;
    }
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    if (request.responseTimer && hasBody(request.raw))
      startTimer(request, reply, Math.max(0, request.responseTimer.remainingMs));
    done();
  });
  // The limit applies only until the response starts, because a stream may wait for its first event.
  app.addHook('onSend', ({ responseTimer }, reply, _payload, done) => {
    clearTimeout(responseTimer?.timer);
    // The response of work that continues is dropped without a warning.
    if (responseTimer?.hasExpired) reply.send = () => reply;
    done();
  });
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}
