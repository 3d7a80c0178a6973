/** In place of what did not come in time. */
export const late = Symbol('late');

/** What the work comes to, or `late` after so long; the work itself goes on. */
export async function inTime<T>(ms: number, work: Promise<T>): Promise<T | typeof late> {
  const { promise: elapsed, resolve } = Promise.withResolvers<typeof late>();
  const timer = setTimeout(resolve, ms, late);
  try {
    return await Promise.race([work, elapsed]);
  } finally {
    clearTimeout(timer);
  }
}
