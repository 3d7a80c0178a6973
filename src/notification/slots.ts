import { LRUCache } from 'lru-cache';

/** A queue with due deliveries: a webhook, or a merchant's callbacks to one host. */
export type DueQueue = {
  key: string;
  merchantId: string;
  /** The number of due deliveries, or a lower bound. */
  due: number;
  /** Whether all deliveries of the webhook since the last success have failed. False for callbacks. */
  failing: boolean;
  /** Whether the webhook was disabled or deleted. Due deliveries then become `skipped` without being sent. */
  disabled: boolean;
  /** `concurrency` and `ratePerSecond` are the webhook's own limits; null if it has none. */
  concurrency: number | null;
  ratePerSecond: number | null;
};

/** The slots granted to each queue, and the time until a rate-limited queue has capacity again. */
type Grants = { slots: Map<string, number>; rateFreesInMs: number | null };

const failingSlots = 2;
/** The number of failing callback queues that a process remembers. */
const failingCallbacksMax = 10_000;
const skippedMax = 100;
const rateWindowMs = 1_000;
/** The share of slots that all failing queues together may use, so that the others have free slots. */
const failingShare = 1 / 2;

type QueueUsage = {
  failing: boolean;
  /** The number of deliveries that are claimed but not yet recorded. */
  inUse: number;
  /** Start times of the deliveries within the last second. */
  recentStarts: number[];
};

/**
 * Creates the delivery slots of a process: `total` overall, and `perQueue` for a queue without its own limit.
 */
export function createSlots({ total, perQueue }: { total: number; perQueue: number }) {
  const usages = new Map<string, QueueUsage>();
  const failingCallbacks = new LRUCache<string, true>({ max: failingCallbacksMax });
  const countInUse = (isCounted: (usage: QueueUsage) => boolean = () => true): number =>
    usages.values().reduce((sum, usage) => sum + (isCounted(usage) ? usage.inUse : 0), 0);

  const updateUsage = ({ key, failing }: DueQueue): QueueUsage => {
    const usage = usages.get(key) ?? { failing, inUse: 0, recentStarts: [] };
    usages.set(key, usage);
    return Object.assign(usage, { failing });
  };
  const evictIdle = (now: number): void => {
    for (const [key, usage] of usages) {
      usage.recentStarts = usage.recentStarts.filter((time) => time > now - rateWindowMs);
      if (usage.inUse + usage.recentStarts.length === 0) usages.delete(key);
    }
  };

  return {
    inUse: () => countInUse(),

    grant(dueQueues: readonly DueQueue[]): Grants {
      const queues = dueQueues.map((queue) =>
        failingCallbacks.has(queue.key) ? { ...queue, failing: true } : queue,
      );
      const now = performance.now();
      evictIdle(now);
      const candidates = queues.map((queue) => toCandidate(queue, updateUsage(queue), { perQueue, now }));
      const waits = candidates.flatMap(({ rateFreesInMs }) => rateFreesInMs ?? []);
      const slots = distributeSlots(candidates, {
        free: total - countInUse(),
        freeForFailing: Math.ceil(total * failingShare) - countInUse(({ failing }) => failing),
      });
      return { slots, rateFreesInMs: waits.length > 0 ? Math.max(1, Math.min(...waits)) : null };
    },

    /** Takes a slot for a delivery that starts now. Returns the function that frees it. */
    take(key: string): () => void {
      const usage = usages.get(key)!;
      usage.inUse++;
      usage.recentStarts.push(performance.now());
      return () => void usage.inUse--;
    },

    /** Remembers whether the last attempt of a queue of callbacks failed, because their endpoints have no row. */
    recordCallback(key: string, { hasFailed }: { hasFailed: boolean }): void {
      if (hasFailed) failingCallbacks.set(key, true);
      else failingCallbacks.delete(key);
    },
  };
}

type SlotCandidate = DueQueue & { capacity: number; rateFreesInMs: number | null };

function toCandidate(
  queue: DueQueue,
  { inUse, recentStarts }: QueueUsage,
  { perQueue, now }: { perQueue: number; now: number },
): SlotCandidate {
  const { due, failing, disabled, concurrency, ratePerSecond: rate } = queue;
  if (disabled) return { ...queue, capacity: Math.min(due, skippedMax), rateFreesInMs: null };
  const limit = Math.min(concurrency ?? perQueue, failing ? failingSlots : Number.POSITIVE_INFINITY);
  const capacity = Math.min(due, limit - inUse);
  const startsAllowed = rate === null ? capacity : rate - recentStarts.length;
  const rateFreesInMs =
    capacity > 0 && startsAllowed <= 0 ? recentStarts.at(-rate!)! + rateWindowMs - now : null;
  return { ...queue, capacity: Math.min(capacity, startsAllowed), rateFreesInMs };
}

/** Distributes slots round-robin over merchants, and over the queues of each merchant. */
function distributeSlots(
  candidates: readonly SlotCandidate[],
  { free, freeForFailing }: { free: number; freeForFailing: number },
): Map<string, number> {
  const slots = new Map<string, number>();
  let merchants = [...Map.groupBy(candidates, ({ merchantId }) => merchantId).values()].map(shuffle);
  while (free > 0 && merchants.length > 0) {
    for (const merchantCandidates of merchants) {
      const candidate = merchantCandidates.shift()!;
      if (free === 0 || candidate.capacity <= 0 || (candidate.failing && freeForFailing <= 0)) continue;
      free--;
      if (candidate.failing) freeForFailing--;
      candidate.capacity--;
      slots.set(candidate.key, (slots.get(candidate.key) ?? 0) + 1);
      merchantCandidates.push(candidate);
    }
    merchants = merchants.filter(({ length }) => length > 0);
  }
  return slots;
}

/** Returns the items in random order, so that no queue of a merchant always comes first. */
function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
