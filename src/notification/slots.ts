/** A queue that has something due: a webhook's, or that of a merchant's callbacks to one host. */
export type DueQueue = {
  key: string;
  merchantId: string;
  /** How many deliveries are due at least. */
  due: number;
  /** Nothing but failures since the last success. */
  failing: boolean;
  /** The webhook was disabled or deleted: what is due becomes `skipped`, nothing is sent. */
  disabled: boolean;
  /** The webhook's own limits. */
  concurrency: number | null;
  ratePerSecond: number | null;
};

/** What may be claimed of each queue, and when a queue that used up its rate may be claimed from again. */
export type Grants = { slots: Map<string, number>; rateFreesInMs: number | null };

const failingSlots = 2;
const skippedMax = 100;
const rateWindowMs = 1_000;
/** A delivery that takes longer, or fails, degrades its endpoint for a while. */
const slowMs = 1_000;
const degradedForMs = 30_000;
/** Degraded endpoints, of however many merchants, leave slots to the others. */
const degradedShare = 1 / 2;
const merchantShare = 3 / 4;

/** A delivery that waits longer than this for its turn may carry a password or an address that is no longer right. */
export const turnMs = 5_000;

type QueueUse = {
  merchantId: string;
  failing: boolean;
  /** How many deliveries may run side by side. */
  limit: number;
  /** How many are claimed and not yet recorded. */
  claimed: number;
  /** When those that run began. */
  running: number[];
  waiting: (() => void)[];
  /** When those of the last second began. */
  begun: number[];
  degradedUntil: number;
};

/** What was granted, for one delivery. */
export type Slot = {
  /** Resolves when it is the delivery's turn: a healthy queue is claimed from in advance. */
  begin(): Promise<void>;
  /** Lets the next of the queue begin. */
  end(isDelivered: boolean): void;
  /** Frees the slot, once the attempt is recorded. */
  release(): void;
};

/** The slots of one process for deliveries side by side, `total` in all and `perQueue` for a queue without a limit. */
export function createSlots({ total, perQueue }: { total: number; perQueue: number }) {
  const uses = new Map<string, QueueUse>();
  let inUse = 0;

  const findUse = ({ key, merchantId, failing, concurrency }: DueQueue): QueueUse => {
    const limit = Math.min(concurrency ?? perQueue, failing ? failingSlots : Number.POSITIVE_INFINITY);
    const use = uses.get(key) ?? {
      merchantId,
      failing,
      limit,
      claimed: 0,
      running: [],
      waiting: [],
      begun: [],
      degradedUntil: 0,
    };
    uses.set(key, use);
    return Object.assign(use, { failing, limit });
  };
  const forgetIdle = (now: number): void => {
    for (const [key, use] of uses) {
      use.begun = use.begun.filter((time) => time > now - rateWindowMs);
      if (use.claimed + use.begun.length === 0 && use.degradedUntil <= now) uses.delete(key);
    }
  };

  return {
    inUse: () => inUse,

    grant(queues: readonly DueQueue[]): Grants {
      const now = performance.now();
      forgetIdle(now);
      const candidates = queues.map((queue) => toCandidate(queue, findUse(queue), now));
      const slots = share(candidates, leftOf(uses, { now, total, inUse }));
      const waits = candidates.flatMap(({ rateFreesInMs }) => rateFreesInMs ?? []);
      return { slots, rateFreesInMs: waits.length > 0 ? Math.max(1, Math.min(...waits)) : null };
    },

    take(key: string): Slot {
      const use = uses.get(key)!;
      inUse++;
      use.claimed++;
      return {
        ...takeTurns(use),
        release() {
          inUse--;
          use.claimed--;
        },
      };
    },
  };
}

function takeTurns(use: QueueUse): Pick<Slot, 'begin' | 'end'> {
  let start = 0;
  return {
    begin() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const run = () => {
        start = performance.now();
        use.running.push(start);
        use.begun.push(start);
        resolve();
      };
      if (use.running.length < use.limit) run();
      else use.waiting.push(run);
      return promise;
    },
    end(isDelivered) {
      const now = performance.now();
      use.running.splice(use.running.indexOf(start), 1);
      if (!isDelivered || now - start > slowMs) use.degradedUntil = now + degradedForMs;
      if (use.running.length < use.limit) use.waiting.shift()?.();
    },
  };
}

type Candidate = {
  key: string;
  merchantId: string;
  isDegraded: boolean;
  room: number;
  rateFreesInMs: number | null;
};

function toCandidate(queue: DueQueue, use: QueueUse, now: number): Candidate {
  const { key, merchantId, due, disabled, ratePerSecond: rate } = queue;
  const isDegraded = isDegradedAt(use, now);
  if (disabled) return { key, merchantId, isDegraded, room: Math.min(due, skippedMax), rateFreesInMs: null };
  // A fast endpoint is claimed for in advance, as much as it got in the last second. One that takes a single delivery at a
  // time is not: it gets all its events in order, also those about different objects.
  const ahead = isDegraded || rate !== null || queue.concurrency === 1 ? 0 : use.begun.length;
  const room = Math.min(due, use.limit + ahead - use.claimed);
  const starts = rate === null ? room : rate - use.begun.length;
  const rateFreesInMs = room > 0 && starts <= 0 ? use.begun.at(-rate!)! + rateWindowMs - now : null;
  return { key, merchantId, isDegraded, room: Math.min(room, starts), rateFreesInMs };
}

function isDegradedAt({ failing, running, degradedUntil }: QueueUse, now: number): boolean {
  return failing || degradedUntil > now || running.some((start) => now - start > slowMs);
}

/** One to each merchant in turn, and to each of its queues in turn. */
function share(candidates: readonly Candidate[], left: ReturnType<typeof leftOf>): Map<string, number> {
  const slots = new Map<string, number>();
  let merchants = [...Map.groupBy(candidates, ({ merchantId }) => merchantId).values()].map(shuffle);
  while (left.slots > 0 && merchants.length > 0) {
    for (const own of merchants) {
      const candidate = own.shift()!;
      if (candidate.room <= 0 || !left.take(candidate)) continue;
      candidate.room--;
      slots.set(candidate.key, (slots.get(candidate.key) ?? 0) + 1);
      own.push(candidate);
    }
    merchants = merchants.filter(({ length }) => length > 0);
  }
  return slots;
}

/** The free slots: of all, of degraded endpoints and of each merchant. */
function leftOf(
  uses: ReadonlyMap<string, QueueUse>,
  { now, total, inUse }: { now: number; total: number; inUse: number },
) {
  let degraded = Math.ceil(total * degradedShare);
  const merchantMax = Math.ceil(total * merchantShare);
  const merchants = new Map<string, number>();
  for (const use of uses.values()) {
    merchants.set(use.merchantId, (merchants.get(use.merchantId) ?? merchantMax) - use.claimed);
    if (isDegradedAt(use, now)) degraded -= use.claimed;
  }
  return {
    slots: total - inUse,
    /** Whether one more is free for the queue, which then has it. */
    take({ merchantId, isDegraded }: Candidate): boolean {
      const ofMerchant = merchants.get(merchantId)!;
      if (this.slots <= 0 || ofMerchant <= 0 || (isDegraded && degraded <= 0)) return false;
      this.slots--;
      merchants.set(merchantId, ofMerchant - 1);
      if (isDegraded) degraded--;
      return true;
    },
  };
}

/** So that no queue of a merchant comes first at every claim. */
function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
