const pendingBySource = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * What is read for many at once, such as all who follow a charge that changed: those who ask `of` one database under one
 * name in the same turn share one reading, which begins after the turn, and so after whatever made them ask. The value is
 * everybody's: nobody may change it.
 */
export function coalesceRead<T>(source: object, name: string, read: () => Promise<T>): Promise<T> {
  const pendingReads = pendingBySource.get(source) ?? new Map<string, Promise<unknown>>();
  pendingBySource.set(source, pendingReads);
  const pending = pendingReads.get(name);
  if (pending) return pending as Promise<T>;
  const started = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    pendingReads.delete(name);
    return read();
  });
  pendingReads.set(name, started);
  return started;
}
