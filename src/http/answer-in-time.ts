import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../kit/errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests that may take their time: files, and what waits on purpose. */
    unhurried?: (request: FastifyRequest) => boolean;
  }
}

/** No request waits longer for its answer, whatever hangs: a database, a lock, a disk. */
const answerMsMax = 9_000;

type Waiting = { leftMs: number; since: number; timer: NodeJS.Timeout | undefined };

/**
 * Answers 503 `unavailable` to a request whose work has not ended in time; the time in which its body arrives does not
 * count. The work goes on, whole or not at all: the repeat with the same Idempotency-Key tells what became of it. Nothing
 * is done to an answer that has begun, such as a stream.
 */
export function answerInTime(app: FastifyInstance, limitMs = answerMsMax): void {
  const waiting = new WeakMap<FastifyRequest, Waiting>();

  const run = (request: FastifyRequest, reply: FastifyReply): void => {
    const state = waiting.get(request);
    if (!state || request.routeOptions.config.unhurried?.(request) || reply.raw.writableEnded) return;
    state.since = performance.now();
    state.timer = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent) return;
      reply.send(new DomainError('unavailable', `No answer in ${limitMs / 1_000} s; repeat the request`));
    }, state.leftMs);
  };
  const pause = (request: FastifyRequest): void => {
    const state = waiting.get(request);
    if (!state) return;
    clearTimeout(state.timer);
    state.leftMs = Math.max(0, state.leftMs - (performance.now() - state.since));
  };

  app.addHook('onRequest', (request, reply, done) => {
    waiting.set(request, { leftMs: limitMs, since: 0, timer: undefined });
    reply.raw.once('close', () => clearTimeout(waiting.get(request)?.timer));
    run(request, reply);
    done();
  });
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    pause(request);
    done();
  });
  app.addHook('preValidation', (request, reply, done) => {
    run(request, reply);
    done();
  });
  // From here on it is on its way: a stream may wait for its first part.
  app.addHook('onSend', (request, _reply, _payload, done) => {
    clearTimeout(waiting.get(request)?.timer);
    done();
  });
}
