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
/** However many endpoints are degraded, and whoever has them, there are slots for the others. */
const degradedShare = 1 / 2;
const merchantShare = 3 / 4;

type QueueUse = {
  merchantId: string;
  failing: boolean;
  running: number[];
  begun: number[];
  degradedUntil: number;
};

/** The slots of one process for deliveries side by side, `total` in all and `perQueue` for a queue without a limit. */
export function createSlots({ total, perQueue }: { total: number; perQueue: number }) {
  const uses = new Map<string, QueueUse>();
  let inUse = 0;

  const findUse = ({ key, merchantId, failing }: DueQueue): QueueUse => {
    const use = uses.get(key) ?? { merchantId, failing, running: [], begun: [], degradedUntil: 0 };
    uses.set(key, use);
    return Object.assign(use, { failing });
  };
  const forgetIdle = (now: number): void => {
    for (const [key, use] of uses) {
      use.begun = use.begun.filter((time) => time > now - rateWindowMs);
      if (use.running.length + use.begun.length === 0 && use.degradedUntil <= now) uses.delete(key);
    }
  };

  return {
    inUse: () => inUse,

    /** Gives the free slots to the queues: to each merchant one in turn, and to each of its queues one in turn. */
    grant(queues: readonly DueQueue[]): Grants {
      const now = performance.now();
      forgetIdle(now);
      const candidates = queues.map((queue) => toCandidate(queue, findUse(queue), { now, perQueue }));
      const left = leftOf(uses, { now, total, inUse });
      const slots = new Map<string, number>();
      const merchants = [...Map.groupBy(candidates, ({ merchantId }) => merchantId).values()].map(shuffle);
      for (
        let turn = merchants;
        left.slots > 0 && turn.length > 0;
        turn = turn.filter(({ length }) => length > 0)
      ) {
        for (const own of turn) {
          const candidate = own.shift()!;
          if (candidate.room <= 0 || !left.take(candidate)) continue;
          candidate.room--;
          slots.set(candidate.key, (slots.get(candidate.key) ?? 0) + 1);
          own.push(candidate);
        }
      }
      const waits = candidates.flatMap(({ rateFreesInMs }) => rateFreesInMs ?? []);
      return { slots, rateFreesInMs: waits.length > 0 ? Math.max(1, Math.min(...waits)) : null };
    },

    /** Takes a granted slot until the returned function is called with the outcome of the delivery. */
    take(key: string): (isDelivered: boolean) => void {
      const use = uses.get(key)!;
      const start = performance.now();
      inUse++;
      use.running.push(start);
      use.begun.push(start);
      return (isDelivered) => {
        const now = performance.now();
        inUse--;
        use.running.splice(use.running.indexOf(start), 1);
        if (!isDelivered || now - start > slowMs) use.degradedUntil = now + degradedForMs;
      };
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

function toCandidate(
  queue: DueQueue,
  use: QueueUse,
  { now, perQueue }: { now: number; perQueue: number },
): Candidate {
  const { key, merchantId, due, failing, disabled, concurrency, ratePerSecond: rate } = queue;
  const isDegraded = isDegradedAt(use, now);
  if (disabled) return { key, merchantId, isDegraded, room: Math.min(due, skippedMax), rateFreesInMs: null };
  const limit = Math.min(concurrency ?? perQueue, failing ? failingSlots : Number.POSITIVE_INFINITY);
  const room = Math.min(due, limit - use.running.length);
  const starts = rate === null ? room : rate - use.begun.length;
  const rateFreesInMs = room > 0 && starts <= 0 ? use.begun.at(-rate!)! + rateWindowMs - now : null;
  return { key, merchantId, isDegraded, room: Math.min(room, starts), rateFreesInMs };
}

function isDegradedAt({ failing, running, degradedUntil }: QueueUse, now: number): boolean {
  return failing || degradedUntil > now || running.some((start) => now - start > slowMs);
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
    merchants.set(use.merchantId, (merchants.get(use.merchantId) ?? merchantMax) - use.running.length);
    if (isDegradedAt(use, now)) degraded -= use.running.length;
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
