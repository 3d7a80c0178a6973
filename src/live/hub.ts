import type { Notice } from '../event/notice.ts';

/** In-process pub/sub of notices. Topics are object ids, `merchantTopic(…)` and `everyNotice`. */
export type Hub = {
  publish(notice: Notice): void;
  /** Whether notices are heard as they are told: not before the process listens, nor while its connection is away. */
  isCurrent(): boolean;
  /** Says that notices are missed from now on. */
  lose(): void;
  /** Notices are heard, again or for the first time. Wakes every subscriber: some may have been missed meanwhile. */
  resync(): void;
  /** Calls `listener` with each notice of the topic; with undefined after a resync. Returns what ends it. */
  subscribe(topic: string, listener: (notice: Notice | undefined) => void): () => void;
  /** Calls `listener` when the process stops listening, so that open streams end. Returns what forgets it. */
  onClose(listener: () => void): () => void;
  close(): void;
};

export const everyNotice = '*';

export function merchantTopic(merchantId: string, mode: string): string {
  return `${merchantId} ${mode}`;
}

export function createHub(): Hub {
  const listeners = new Map<string, Set<(notice: Notice | undefined) => void>>();
  const closers = new Set<() => void>();
  let isCurrent = false;
  const tell = (topic: string, notice: Notice) => {
    for (const listener of listeners.get(topic) ?? []) listener(notice);
  };
  return {
    publish(notice) {
      tell(notice.objectId, notice);
      tell(merchantTopic(notice.merchantId, notice.mode), notice);
      tell(everyNotice, notice);
    },
    isCurrent: () => isCurrent,
    lose() {
      isCurrent = false;
    },
    resync() {
      isCurrent = true;
      for (const set of listeners.values()) for (const listener of set) listener(undefined);
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic);
      };
    },
    onClose(listener) {
      closers.add(listener);
      return () => closers.delete(listener);
    },
    close() {
      for (const listener of [...closers]) listener();
    },
  };
}
