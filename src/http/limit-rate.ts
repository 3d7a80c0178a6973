import type { FastifyReply, FastifyRequest } from 'fastify';
import { getClientNetwork } from '../kit/client-network.ts';
import { DomainError, rateLimitedError } from '../kit/errors.ts';
import type { RateLimiter } from '../kit/rate-limiter.ts';

/** Counts `cost` requests for a key and sets the rate limit headers. Throws `rate_limited` above the limit. */
export function limitRate(
  limiter: RateLimiter | undefined,
  key: string,
  reply: FastifyReply,
  cost = 1,
): void {
  if (!limiter) return;
  // Rate limits use the time of the process, not a test clock.
  const verdict = limiter.take(key, performance.now(), cost);
  reply.header('ratelimit-limit', verdict.limit);
  reply.header('ratelimit-remaining', verdict.remaining);
  reply.header('ratelimit-reset', verdict.resetSeconds);
  if (!verdict.isAllowed) throw tooManyRequestsError(verdict.retryAfterSeconds);
}

export function tooManyRequestsError(retryAfterSeconds: number): DomainError {
  return rateLimitedError(`Too many requests; retry after ${retryAfterSeconds} s`, retryAfterSeconds);
}

export const toVisitorKey = ({ ip }: Pick<FastifyRequest, 'ip'>): string => `visitor:${getClientNetwork(ip)}`;

/** Authenticates a request. If its credentials are rejected, counts it for the client's network. */
export async function limitRejected<T>(
  limiter: RateLimiter | undefined,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  authenticate: () => Promise<T>,
): Promise<T> {
  try {
    return await authenticate();
  } catch (error) {
    if (error instanceof DomainError) limitRate(limiter, toVisitorKey(request), reply);
    throw error;
  }
}

/** The number of response bytes that count as one request. */
const bytesPerRequest = 50_000;

/** Counts a large public response as several requests of the client's network. */
export function limitDownload(
  limiter: RateLimiter | undefined,
  { request, reply, bytes }: { request: FastifyRequest; reply: FastifyReply; bytes: number },
): void {
  limitRate(limiter, toVisitorKey(request), reply, Math.ceil(bytes / bytesPerRequest));
}
