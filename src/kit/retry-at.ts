/** Each wait is this part longer or shorter, so that what failed together does not come back together. */
const jitter = 0.2;

/**
 * When to try again what failed at `now`. `random` is from 0 to 1 and spreads the wait; `askedMs` is what the other side
 * asked for (`Retry-After`), which counts up to `askedMsMax`.
 */
export function retryAt(
  wait: { waitMs: number; requestedMs: number | null; requestedMsMax: number },
  { now, random }: { now: Date; random: number },
): Date {
  const jitteredMs = Math.round(wait.waitMs * (1 - jitter + 2 * jitter * random));
  const requestedMs = Math.min(wait.requestedMs ?? 0, wait.requestedMsMax);
  return new Date(now.getTime() + Math.max(jitteredMs, requestedMs));
}
