import { LRUCache } from 'lru-cache';

/** The result for one request. Seconds are rounded up, as the response headers require. */
type RateLimitResult = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Until the full burst is available again. */
  resetSeconds: number;
  /** Until the next request is allowed; 0 if this one was allowed. */
  retryAfterSeconds: number;
};

/** `cost` is the number of requests to charge: 1 by default, capped at a burst. */
export type RateLimiter = { take(key: string, nowMs: number, cost?: number): RateLimitResult };

/** A burst is twice the rate per second. */
const burstSeconds = 2;
/** Beyond this limit the least recently used key is evicted, and starts again with a full burst. */
const keysMax = 10_000;

/**
 * Creates a token bucket for each key: `ratePerSecond` sustained, with bursts of twice that. Counts are per
 * process. Returns undefined for a rate of zero, which disables the limit.
 */
export function createRateLimiter(ratePerSecond: number): RateLimiter | undefined {
  if (ratePerSecond === 0) return undefined;
  const burst = ratePerSecond * burstSeconds;
  const buckets = new LRUCache<string, { tokens: number; atMs: number }>({ max: keysMax });
  return {
    take(key, nowMs, requestedCost = 1) {
      const cost = Math.min(requestedCost, burst);
      const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs };
      const refilled = bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * ratePerSecond;
      const tokens = Math.min(burst, refilled);
      const isAllowed = tokens >= cost;
      const remainingTokens = isAllowed ? tokens - cost : tokens;
      buckets.set(key, { tokens: remainingTokens, atMs: nowMs });
      return {
        isAllowed,
        limit: burst,
        remaining: Math.floor(remainingTokens),
        resetSeconds: Math.ceil((burst - remainingTokens) / ratePerSecond),
        retryAfterSeconds: isAllowed ? 0 : Math.ceil((cost - remainingTokens) / ratePerSecond),
      };
    },
  };
}
