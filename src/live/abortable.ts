/** A generator that waits does not hear its `return`: the signal ends what it waits for. */
export function abortable<T>(create: (signal: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
  const controller = new AbortController();
  const generator = create(controller.signal);
  const originalReturn = generator.return.bind(generator);
  generator.return = (value) => {
    controller.abort();
    return originalReturn(value);
  };
  return generator;
}
