import { LRUCache } from 'lru-cache';

/** What one request was told by the limiter. Seconds are rounded up, as the headers want them. */
type RateLimitResult = {
  isAllowed: boolean;
  limit: number;
  remaining: number;
  /** Until the whole burst is there again. */
  resetSeconds: number;
  /** Until the next request is allowed; 0 when this one was. */
  retryAfterSeconds: number;
};

/** `cost`: how many requests one counts as; 1 when left out, and never more than a burst. */
export type RateLimiter = { take(key: string, nowMs: number, cost?: number): RateLimitResult };

/** A burst is twice what a second allows. */
const burstSeconds = 2;
/** Beyond this, the least recently used keys are evicted. An evicted key has a full burst again. */
const keysMax = 10_000;

/**
 * A token bucket for each key: `ratePerSecond` sustained, bursts of twice that. Counted per process. Zero turns it off.
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
