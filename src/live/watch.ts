import type { Notice } from '../event/notice.ts';
import type { Hub } from './hub.ts';

/** `topic` is one topic, or several that are watched together. */
type WatchOptions = { topic: string | readonly string[]; signal?: AbortSignal | undefined };

/**
 * Yields the current state of an object, then its state after each change. Subscribes before reading, so that
 * no change is lost in between. Changes that arrive while the consumer is busy share one read, so a slow
 * consumer uses no extra memory. Ends when `read` returns null or the signal aborts.
 */
export async function* watchObject<T>(
  hub: Hub,
  options: WatchOptions & { read: () => Promise<T | null> },
): AsyncGenerator<T> {
  const changes = watchTopic(hub, options);
  try {
    const first = await options.read();
    if (first === null) return;
    yield first;
    for await (const _ of changes) {
      const value = await options.read();
      if (value === null) return;
      yield value;
    }
  } finally {
    await changes.return(undefined);
  }
}

/** The maximum number of pending IDs for a busy consumer; with more, the consumer must read all objects again. */
const pendingMax = 1_000;

/**
 * Yields the set of IDs that changed since the last yield, or null if changes may have been lost or there were
 * too many. Subscribes immediately, not at the first `next`.
 */
export function watchTopic(
  hub: Hub,
  options: WatchOptions,
): AsyncGenerator<Set<string> | null, void, undefined> {
  let changedIds = new Set<string>();
  let hasMissed = false;
  let isEnded = false;
  let wake = () => {};
  const handleNotice = (notice: Notice | undefined) => {
    if (notice && !hasMissed) changedIds.add(notice.objectId);
    else hasMissed = true;
    if (changedIds.size > pendingMax) hasMissed = true;
    if (hasMissed) changedIds.clear();
    wake();
  };
  const unsubscribes = [options.topic].flat().map((topic) => hub.subscribe(topic, handleNotice));
  const removeCloseListener = hub.onClose(() => end());
  const end = () => {
    isEnded = true;
    for (const unsubscribe of unsubscribes) unsubscribe();
    removeCloseListener();
    options.signal?.removeEventListener('abort', end);
    wake();
  };
  if (options.signal?.aborted) end();
  options.signal?.addEventListener('abort', end, { once: true });

  async function* generate(): AsyncGenerator<Set<string> | null, void, undefined> {
    while (!isEnded) {
      if (changedIds.size === 0 && !hasMissed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isEnded) return;
      const batch = hasMissed ? null : changedIds;
      changedIds = new Set();
      hasMissed = false;
      yield batch;
    }
  }
  const generator = generate();
  const originalReturn = generator.return.bind(generator);
  // `return` does not reach a `finally` block in a generator that is waiting or was never started, so the
  // subscription ends here.
  generator.return = async (value) => {
    end();
    return originalReturn(value);
  };
  return generator;
}
