type BatchedCall<Input> = { input: Input; resolve: () => void; reject: (error: unknown) => void };

/**
 * Returns a function that runs one call at a time for each key, and `concurrency` calls in total. Inputs that arrive
 * while a call of their key waits or runs share the next call, in order and at most `size`, which saves transactions.
 */
export function batchCalls<Input>(
  run: (key: string, inputs: Input[]) => Promise<unknown>,
  { size, concurrency }: { size: number; concurrency: number },
): (key: string, input: Input) => Promise<void> {
  const queues = new Map<string, BatchedCall<Input>[]>();
  const waitingKeys: string[] = [];
  let running = 0;

  const runNext = async (): Promise<void> => {
    const key = waitingKeys.shift();
    if (key === undefined) return;
    running += 1;
    const queue = queues.get(key)!;
    const calls = queue.splice(0, size);
    try {
      await run(
        key,
        calls.map(({ input }) => input),
      );
      for (const { resolve } of calls) resolve();
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    running -= 1;
    if (queue.length > 0) waitingKeys.push(key);
    else queues.delete(key);
    void runNext();
  };

  return (key, input) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(key);
      const call = { input, resolve, reject };
      if (queue) {
        queue.push(call);
        return;
      }
      queues.set(key, [call]);
      waitingKeys.push(key);
      if (running < concurrency) void runNext();
    });
}
