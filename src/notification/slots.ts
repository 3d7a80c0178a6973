/** A queue with due deliveries: a webhook, or a merchant's callbacks to one host. */
export type DueQueue = {
  key: string;
  merchantId: string;
  /** The number of due deliveries, or a lower bound. */
  due: number;
  /** Whether all deliveries since the last success have failed. */
  failing: boolean;
  /** Whether the webhook was disabled or deleted. Due deliveries then become `skipped` without being sent. */
  disabled: boolean;
  /** `concurrency` and `ratePerSecond` are the webhook's own limits; null if it has none. */
  concurrency: number | null;
  ratePerSecond: number | null;
};

/** The slots granted to each queue, and the time until a rate-limited queue has capacity again. */
export type Grants = { slots: Map<string, number>; rateFreesInMs: number | null };

const failingSlots = 2;
const skippedMax = 100;
const rateWindowMs = 1_000;
/** A delivery that fails or takes longer than `slowMs` marks its endpoint as degraded for `degradedForMs`. */
const slowMs = 1_000;
const degradedForMs = 30_000;
/** The share of slots that all degraded endpoints together may use, so that the others have free slots. */
const degradedShare = 1 / 2;
/** The share of slots that one merchant may use. */
const merchantShare = 3 / 4;

/**
 * The longest wait for a slot. A delivery that waits longer is claimed again, because its password or URL may
 * be outdated.
 */
export const slotWaitMsMax = 5_000;

type QueueUsage = {
  merchantId: string;
  failing: boolean;
  /** The maximum number of concurrent deliveries. */
  limit: number;
  /** The number of deliveries that are claimed but not yet recorded. */
  claimed: number;
  /** Start times of the running deliveries. */
  runningSince: number[];
  waiting: (() => void)[];
  /** Start times of the deliveries within the last second. */
  recentStarts: number[];
  degradedUntil: number;
};

/** The slot of one delivery. */
export type Slot = {
  /** Resolves when the delivery may start. Deliveries to fast endpoints are claimed in advance and may wait. */
  begin(): Promise<void>;
  /** Lets the next delivery of the queue start. */
  end(isDelivered: boolean): void;
  /** Frees the slot after the attempt has been recorded. */
  release(): void;
};

/**
 * Creates the delivery slots of a process: `total` overall, and `perQueue` for a queue without its own limit.
 */
export function createSlots({ total, perQueue }: { total: number; perQueue: number }) {
  const usages = new Map<string, QueueUsage>();
  let inUse = 0;

  const getUsage = ({ key, merchantId, failing, concurrency }: DueQueue): QueueUsage => {
    const limit = Math.min(concurrency ?? perQueue, failing ? failingSlots : Number.POSITIVE_INFINITY);
    const usage = usages.get(key) ?? {
      merchantId,
      failing,
      limit,
      claimed: 0,
      runningSince: [],
      waiting: [],
      recentStarts: [],
      degradedUntil: 0,
    };
    usages.set(key, usage);
    return Object.assign(usage, { failing, limit });
  };
  const evictIdle = (now: number): void => {
    for (const [key, usage] of usages) {
      usage.recentStarts = usage.recentStarts.filter((time) => time > now - rateWindowMs);
      if (usage.claimed + usage.recentStarts.length === 0 && usage.degradedUntil <= now) usages.delete(key);
    }
  };

  return {
    inUse: () => inUse,

    grant(queues: readonly DueQueue[]): Grants {
      const now = performance.now();
      evictIdle(now);
      const candidates = queues.map((queue) => toCandidate(queue, getUsage(queue), now));
      const slots = distributeSlots(candidates, countFreeSlots(usages, { now, total, inUse }));
      const waits = candidates.flatMap(({ rateFreesInMs }) => rateFreesInMs ?? []);
      return { slots, rateFreesInMs: waits.length > 0 ? Math.max(1, Math.min(...waits)) : null };
    },

    take(key: string): Slot {
      const usage = usages.get(key)!;
      inUse++;
      usage.claimed++;
      return {
        ...createConcurrencyLimit(usage),
        release() {
          inUse--;
          usage.claimed--;
        },
      };
    },
  };
}

function createConcurrencyLimit(usage: QueueUsage): Pick<Slot, 'begin' | 'end'> {
  let start = 0;
  return {
    begin() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run = () => {
        start = performance.now();
        usage.runningSince.push(start);
        usage.recentStarts.push(start);
        resolve();
      };
      if (usage.runningSince.length < usage.limit) run();
      else usage.waiting.push(run);
      return promise;
    },
    end(isDelivered) {
      const now = performance.now();
      usage.runningSince.splice(usage.runningSince.indexOf(start), 1);
      if (!isDelivered || now - start > slowMs) usage.degradedUntil = now + degradedForMs;
      if (usage.runningSince.length < usage.limit) usage.waiting.shift()?.();
    },
  };
}

type SlotCandidate = {
  key: string;
  merchantId: string;
  isDegraded: boolean;
  capacity: number;
  rateFreesInMs: number | null;
};

function toCandidate(queue: DueQueue, usage: QueueUsage, now: number): SlotCandidate {
  const { key, merchantId, due, disabled, ratePerSecond: rate } = queue;
  const isDegraded = isDegradedAt(usage, now);
  if (disabled)
    return { key, merchantId, isDegraded, capacity: Math.min(due, skippedMax), rateFreesInMs: null };
  // For a fast endpoint, claims as many deliveries in advance as it received in the last second. Endpoints with a
  // concurrency of one are excluded, because they receive all events in order, also those about different objects.
  const prefetch = isDegraded || rate !== null || queue.concurrency === 1 ? 0 : usage.recentStarts.length;
  const capacity = Math.min(due, usage.limit + prefetch - usage.claimed);
  const startsAllowed = rate === null ? capacity : rate - usage.recentStarts.length;
  const rateFreesInMs =
    capacity > 0 && startsAllowed <= 0 ? usage.recentStarts.at(-rate!)! + rateWindowMs - now : null;
  return { key, merchantId, isDegraded, capacity: Math.min(capacity, startsAllowed), rateFreesInMs };
}

function isDegradedAt({ failing, runningSince, degradedUntil }: QueueUsage, now: number): boolean {
  return failing || degradedUntil > now || runningSince.some((startedAt) => now - startedAt > slowMs);
}

/** Distributes slots round-robin over merchants, and over the queues of each merchant. */
function distributeSlots(
  candidates: readonly SlotCandidate[],
  freeSlots: ReturnType<typeof countFreeSlots>,
): Map<string, number> {
  const slots = new Map<string, number>();
  let merchants = [...Map.groupBy(candidates, ({ merchantId }) => merchantId).values()].map(shuffle);
  while (freeSlots.slots > 0 && merchants.length > 0) {
    for (const merchantCandidates of merchants) {
      const candidate = merchantCandidates.shift()!;
      if (candidate.capacity <= 0 || !freeSlots.take(candidate)) continue;
      candidate.capacity--;
      slots.set(candidate.key, (slots.get(candidate.key) ?? 0) + 1);
      merchantCandidates.push(candidate);
    }
    merchants = merchants.filter(({ length }) => length > 0);
  }
  return slots;
}

/** Counts the free slots: overall, for degraded endpoints, and for each merchant. */
function countFreeSlots(
  usages: ReadonlyMap<string, QueueUsage>,
  { now, total, inUse }: { now: number; total: number; inUse: number },
) {
  let degraded = Math.ceil(total * degradedShare);
  const merchantMax = Math.ceil(total * merchantShare);
  const merchants = new Map<string, number>();
  for (const usage of usages.values()) {
    merchants.set(usage.merchantId, (merchants.get(usage.merchantId) ?? merchantMax) - usage.claimed);
    if (isDegradedAt(usage, now)) degraded -= usage.claimed;
  }
  return {
    slots: total - inUse,
    /** Takes a slot for the queue if one is free, and returns whether one was free. */
    take({ merchantId, isDegraded }: SlotCandidate): boolean {
      const merchantSlots = merchants.get(merchantId)!;
      if (this.slots <= 0 || merchantSlots <= 0 || (isDegraded && degraded <= 0)) return false;
      this.slots--;
      merchants.set(merchantId, merchantSlots - 1);
      if (isDegraded) degraded--;
      return true;
    },
  };
}

/** Returns the items in random order, so that no queue of a merchant always comes first. */
function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
