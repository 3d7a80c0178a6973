import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerOnce, keptMs, type Once, transactOnce } from '../domain/platform/idempotency/answer-once.ts';
import type { Answer } from '../domain/platform/idempotency/kept-answer.ts';
import type { Service } from '../domain/platform/service.ts';
import { readKey } from '../http/idempotency-key.ts';
import { canonicalJson } from '../kit/canonical-json.ts';
import { owned } from './inputs.ts';

type Request = Pick<FastifyRequest, 'method' | 'url' | 'body' | 'headers' | 'caller'>;
type Reply = Pick<FastifyReply, 'code' | 'header'>;
type Options = { service: Service; now: Date; keepMs?: number };

/**
 * Answers a POST, once for its `Idempotency-Key` where it has one. A replay says so in a header and repeats the first
 * status. `now` is the machine's time: the test clock never moves idempotency keys.
 */
export function answerPost<T, Body>(
  request: Request,
  reply: Reply,
  options: Options & {
    work: (service: Service) => Promise<T>;
    /** Reads through the service it is given, which is in the transaction of the work where there is a key. */
    toAnswer: (result: T, service: Service) => Answer<Body> | Promise<Answer<Body>>;
  },
): Promise<Body> {
  const answer = async (service: Service) => options.toAnswer(await options.work(service), service);
  return answerCreation(request, reply, {
    ...options,
    create: (service, once: Once<Answer<Body>> | undefined) =>
      once ? transactOnce(service, once, answer) : answer(service),
    toAnswer: (result) => result,
  });
}

/** The same for an operation that has the idempotency key in its own transaction, where there is a key. */
export async function answerCreation<T, Body>(
  request: Request,
  reply: Reply,
  options: Options & {
    create: (service: Service, once: Once<T> | undefined) => Promise<T>;
    toAnswer: (result: T) => Answer<Body>;
  },
): Promise<Body> {
  const { service, now, create, toAnswer, keepMs = keptMs } = options;
  const key = readKey(request);
  if (key === undefined) return send(reply, toAnswer(await create(service, undefined)));
  const content = canonicalJson([request.method, request.url, request.body]);
  const asked = { ...owned(request.caller), key, content, keepMs, now };
  const transact = (once: Once<T>) => create(service, once);
  const { isReplay, ...answer } = await answerOnce(service, { ...asked, transact, toAnswer });
  if (isReplay) reply.header('idempotent-replayed', 'true');
  return send(reply, answer);
}

function send<Body>(reply: Pick<FastifyReply, 'code'>, answer: Answer<Body>): Body {
  reply.code(answer.status);
  return answer.body;
}
