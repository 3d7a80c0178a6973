/** The result of `withTimeout` if the time is up. */
export const timedOut = Symbol('late');

/** Returns the result of the work, or `timedOut` after `ms`. The work itself continues. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | typeof timedOut> {
  const { promise: elapsed, resolve } = Promise.withResolvers<typeof timedOut>();
  const timer = setTimeout(resolve, ms, timedOut);
  try {
    return await Promise.race([work, elapsed]);
  } finally {
    clearTimeout(timer);
  }
}
