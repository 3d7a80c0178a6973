/** Waits, or rejects with the reason of the signal when it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/**
 * Returns the wait before a retry; the first retry has the number 0. The wait doubles each time, and is random so that
 * clients do not retry at the same time.
 */
export function getBackoffMs(retry: number, baseMs: number, maxMs: number): number {
  const ms = Math.min(maxMs, baseMs * 2 ** Math.min(retry, 20));
  return ms / 2 + (Math.random() * ms) / 2;
}
