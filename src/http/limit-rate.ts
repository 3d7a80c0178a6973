import type { FastifyReply } from 'fastify';
import { DomainError } from '../kit/errors.ts';
import type { RateLimiter } from '../kit/rate-limiter.ts';

/** Counts a request for a key and says so in the answer's headers. Error: `rate_limited`. */
export function limitRate(limiter: RateLimiter | undefined, key: string, reply: FastifyReply): void {
  if (!limiter) return;
  // The machine's own time: the test clock never moves limits.
  const verdict = limiter.take(key, performance.now());
  reply.header('ratelimit-limit', verdict.limit);
  reply.header('ratelimit-remaining', verdict.remaining);
  reply.header('ratelimit-reset', verdict.resetSeconds);
  if (verdict.isAllowed) return;
  reply.header('retry-after', verdict.retryAfterSeconds);
  throw new DomainError('rate_limited');
}
