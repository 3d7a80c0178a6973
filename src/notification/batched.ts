/**
 * Writes things together: what arrives while one writing is under way goes into the next, so that a busy process writes
 * many in a statement and an idle one writes at once. Each call settles with the writing of its thing.
 */
export function batched<T>(writeAll: (things: readonly T[]) => Promise<void>): (thing: T) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let underWay: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    // Whoever waits for the writing before this one is told of its fault; this one is another.
    await underWay?.catch(() => {});
    const batch = waiting;
    waiting = [];
    underWay = next;
    next = undefined;
    await writeAll(batch);
  };

  return (thing) => {
    waiting.push(thing);
    next ??= write();
    return next;
  };
}
