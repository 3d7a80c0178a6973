/** In place of what did not come in time. */
export const timedOut = Symbol('late');

/** What the work comes to, or `late` after so long; the work itself goes on. */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | typeof timedOut> {
  const { promise: elapsed, resolve } = Promise.withResolvers<typeof timedOut>();
  const timer = setTimeout(resolve, ms, timedOut);
  try {
    return await Promise.race([work, elapsed]);
  } finally {
    clearTimeout(timer);
  }
}
