import { LRUCache } from 'lru-cache';

/** Whether a request is allowed, and the values for the response headers. Seconds are rounded up. */
type RateLimitResult = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** The seconds until the full burst is available again. */
  resetSeconds: number;
  /** The seconds until the same request is allowed; 0 if it was allowed. */
  retryAfterSeconds: number;
};

/** `cost` is the number of requests that this one counts as: by default 1, at most a full burst. */
export type RateLimiter = { take(key: string, nowMs: number, cost?: number): RateLimitResult };

/** A burst may have as many requests as this number of seconds allows. */
const burstSeconds = 2;
/** The maximum number of keys. The least recently used key is evicted, and starts again with a full burst. */
const keysMax = 10_000;

/**
 * Creates a limiter with a token bucket for each key, which allows `ratePerSecond` on average and bursts of twice that.
 * Each process counts separately. Returns undefined for a rate of zero, which disables the limit.
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
