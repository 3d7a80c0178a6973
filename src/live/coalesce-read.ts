const pendingBySource = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Shares one read among concurrent callers, such as all subscribers of a charge that changed. Calls with the same
 * `source` and `name` in one event loop turn share a read, which starts after that turn. Callers must not modify the
 * result.
 */
export function coalesceRead<T>(source: object, name: string, read: () => Promise<T>): Promise<T> {
  const pendingReads = pendingBySource.get(source) ?? new Map<string, Promise<unknown>>();
  pendingBySource.set(source, pendingReads);
  const pending = pendingReads.get(name);
  if (pending) return pending as Promise<T>;
  const sharedRead = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    pendingReads.delete(name);
    return read();
  });
  pendingReads.set(name, sharedRead);
  return sharedRead;
}
