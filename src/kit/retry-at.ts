/** Each wait is randomized by ±20 %, so that operations that failed together are not retried together. */
const jitter = 0.2;

/**
 * Returns when to retry after a failure at `now`. `random` is a random number from 0 to 1. `requestedMs` is the delay
 * that the other side requested (`Retry-After`), capped at `requestedMsMax`.
 */
export function getRetryTime(
  wait: { waitMs: number; requestedMs: number | null; requestedMsMax: number },
  { now, random }: { now: Date; random: number },
): Date {
  const jitteredMs = Math.round(wait.waitMs * (1 - jitter + 2 * jitter * random));
  const requestedMs = Math.min(wait.requestedMs ?? 0, wait.requestedMsMax);
  return new Date(now.getTime() + Math.max(jitteredMs, requestedMs));
}
