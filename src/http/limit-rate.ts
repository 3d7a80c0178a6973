import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../kit/client-network.ts';
import { DomainError } from '../kit/errors.ts';
import type { RateLimiter } from '../kit/rate-limiter.ts';

/** Counts a request for a key as `cost` requests, in the answer's headers too. Error: `rate_limited`. */
export function limitRate(
  limiter: RateLimiter | undefined,
  key: string,
  reply: FastifyReply,
  cost = 1,
): void {
  if (!limiter) return;
  // The machine's own time: the test clock never moves limits.
  const verdict = limiter.take(key, performance.now(), cost);
  reply.header('ratelimit-limit', verdict.limit);
  reply.header('ratelimit-remaining', verdict.remaining);
  reply.header('ratelimit-reset', verdict.resetSeconds);
  if (verdict.isAllowed) return;
  reply.header('retry-after', verdict.retryAfterSeconds);
  throw new DomainError('rate_limited', undefined, [], verdict.retryAfterSeconds);
}

/** Everybody without credentials in one network is one caller. */
export const toVisitorKey = ({ ip }: Pick<FastifyRequest, 'ip'>): string => `visitor:${clientNetwork(ip)}`;

/** So many bytes of an answer to a visitor count as one request. */
const bytesPerRequest = 50_000;

/** Counts a large answer that needs no credentials for the network that asks for it. Error: `rate_limited`. */
export function limitDownload(
  limiter: RateLimiter | undefined,
  { request, reply, bytes }: { request: FastifyRequest; reply: FastifyReply; bytes: number },
): void {
  limitRate(limiter, toVisitorKey(request), reply, Math.ceil(bytes / bytesPerRequest));
}
