import type { Notice } from '../event/notice.ts';
import type { Hub } from './hub.ts';

/** What is listened to: one topic, or several as if they were one. */
type WatchOptions = { topic: string | readonly string[]; signal?: AbortSignal | undefined };

/**
 * The present state of one object, then its state after each change: listen first, then read, so that no change falls
 * in the gap. Changes that arrive while the reader is busy are folded into one more reading, so a slow reader holds no
 * memory. Ends when `read` answers null, or with the signal.
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

/** How many ids wait for a reader that is busy; when there are more, it is told to look for itself. */
const pendingMax = 1_000;

/**
 * Yields the ids that changed since the last yield, each once; null after a resync, or when too many changed meanwhile.
 * Listens from the call on.
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
  // A generator that waits, or never ran, does not reach a finally of its own: the subscription is ended here.
  generator.return = async (value) => {
    end();
    return originalReturn(value);
  };
  return generator;
}
