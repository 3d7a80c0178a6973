/** A generator that waits does not hear its `return`: the signal ends what it waits for. */
export function endable<T>(make: (signal: AbortSignal) => AsyncGenerator<T>): AsyncGenerator<T> {
  const ended = new AbortController();
  const generator = make(ended.signal);
  const finish = generator.return.bind(generator);
  generator.return = (value) => {
    ended.abort();
    return finish(value);
  };
  return generator;
}
