const asked = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * What is read for many at once, such as all who follow a charge that changed: those who ask `of` one database under one
 * name in the same turn share one reading, which begins after the turn, and so after whatever made them ask. The value is
 * everybody's: nobody may change it.
 */
export function shareRead<T>(of: object, name: string, read: () => Promise<T>): Promise<T> {
  const reads = asked.get(of) ?? new Map<string, Promise<unknown>>();
  asked.set(of, reads);
  const known = reads.get(name);
  if (known) return known as Promise<T>;
  const begun = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    reads.delete(name);
    return read();
  });
  reads.set(name, begun);
  return begun;
}
