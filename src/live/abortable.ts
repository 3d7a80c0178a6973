/**
 * Wraps a generator so that `return` aborts its signal. A suspended async generator cannot be cancelled by
 * `return` alone.
 */
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
