import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOnce, keptMs } from '../domain/idempotency/answer-once.ts';
import type { Answer } from '../domain/idempotency/kept-answer.ts';
import type { Service } from '../domain/service.ts';
import { readKey } from '../http/idempotency-key.ts';
import { canonicalJson } from '../kit/canonical-json.ts';
import { owned } from './inputs.ts';

/**
 * Answers a POST, once for its `Idempotency-Key` where it has one. A replay says so in a header and repeats the first
 * status. `now` is the machine's time: the test clock never moves idempotency keys.
 */
export async function answerPost<T, Body>(
  request: Pick<FastifyRequest, 'method' | 'url' | 'body' | 'headers' | 'caller'>,
  reply: Pick<FastifyReply, 'code' | 'header'>,
  options: {
    service: Service;
    now: Date;
    keepMs?: number;
    /** As in answerOnce. */
    asksLate?: boolean;
    work: (service: Service) => Promise<T>;
    toAnswer: (result: T, service: Service) => Answer<Body> | Promise<Answer<Body>>;
  },
): Promise<Body> {
  const { service, now, work, toAnswer, keepMs = keptMs, asksLate = false } = options;
  const key = readKey(request);
  if (key === undefined) return send(reply, await toAnswer(await work(service), service));
  const content = canonicalJson([request.method, request.url, request.body]);
  const { isReplay, ...answer } = await answerOnce(service, {
    ...owned(request.caller),
    key,
    content,
    keepMs,
    now,
    asksLate,
    work,
    toAnswer,
  });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return send(reply, answer);
}

function send<Body>(reply: Pick<FastifyReply, 'code'>, answer: Answer<Body>): Body {
  reply.code(answer.status);
  return answer.body;
}
