import type { Notice } from '../event/notice.ts';

/** In-process publish/subscribe for notices. Topics are object IDs, `toMerchantTopic(…)` and `wildcardTopic`. */
export type Hub = {
  publish(notice: Notice): void;
  /** Returns whether the process receives notices. Returns false before it listens and while its connection is lost. */
  isConnected(): boolean;
  /** Records that the process receives no notices from now on. */
  markDisconnected(): void;
  /**
   * Records that notices arrive, for the first time or again. Wakes every subscriber, because some notices
   * may have been missed.
   */
  resync(): void;
  /**
   * Calls `listener` with each notice of the topic, and with undefined after a resync. Returns a function
   * that unsubscribes.
   */
  subscribe(topic: string, listener: (notice: Notice | undefined) => void): () => void;
  /**
   * Calls `listener` when the process shuts down, so that open streams end. Listeners are called in the order of their
   * registration. Returns a function that unregisters it.
   */
  onClose(listener: () => void): () => void;
  close(): void;
  isClosed(): boolean;
};

export const wildcardTopic = '*';

export function toMerchantTopic(merchantId: string, mode: string): string {
  return `${merchantId} ${mode}`;
}

export function createHub(): Hub {
  const listeners = new Map<string, Set<(notice: Notice | undefined) => void>>();
  const closeListeners = new Set<() => void>();
  let isConnected = false;
  let isClosed = false;
  const dispatch = (topic: string, notice: Notice) => {
    for (const listener of listeners.get(topic) ?? []) listener(notice);
  };
  return {
    publish(notice) {
      dispatch(notice.objectId, notice);
      dispatch(toMerchantTopic(notice.merchantId, notice.mode), notice);
      dispatch(wildcardTopic, notice);
    },
    isConnected: () => isConnected,
    markDisconnected() {
      isConnected = false;
    },
    resync() {
      isConnected = true;
      for (const topicListeners of listeners.values())
        for (const listener of topicListeners) listener(undefined);
    },
    subscribe(topic, listener) {
      const topicListeners = listeners.get(topic) ?? new Set();
      listeners.set(topic, topicListeners.add(listener));
      return () => {
        topicListeners.delete(listener);
        if (topicListeners.size === 0 && listeners.get(topic) === topicListeners) listeners.delete(topic);
      };
    },
    onClose(listener) {
      closeListeners.add(listener);
      return () => closeListeners.delete(listener);
    },
    close() {
      isClosed = true;
      for (const listener of [...closeListeners]) listener();
    },
    isClosed: () => isClosed,
  };
}
