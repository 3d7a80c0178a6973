import { createRates } from './rates.ts';
import { createSlowness } from './slowness.ts';

/** What is known of a claim before it is delivered. */
type Delivery = {
  merchantId: string;
  lane: string;
  doubtful: boolean;
  webhook: { ratePerSecond: number | null; concurrency: number | null } | null;
};

/**
 * What may be claimed: places in all, for what is doubtful, and for each merchant; and the lanes in use, each with its
 * counts.
 */
export type Room = {
  places: number;
  doubtful: number;
  /** How many a merchant may have that has none yet; and those who have some, with what is left for them. */
  ofMerchant: number;
  merchants: string[];
  left: number[];
  lanes: string[];
  /**
   * How many deliveries of each lane are claimed and not posted, less those that it may have claimed in advance: below
   * zero for a fast lane.
   */
  used: number[];
  /** Where its rate is limited: how many began in the last second. */
  begun: number[];
  /** Whether its endpoint took long of late. */
  slow: boolean[];
};

/** Places for deliveries that go on side by side; what takes turns is a lane. */
export type Lanes = {
  room(): Room;
  /** How many deliveries are under way. */
  underWay(): number;
  /** In how many milliseconds a lane may begin again that has begun all its rate allows; null when there is none. */
  rateFreesInMs(): number | null;
  /**
   * Posts, then records; neither may reject. Null when it was not posted after all. The place in the lane is free once
   * it is posted, so that a lane is as fast as its endpoint; of what is doubtful once it is recorded, so that what
   * fails fast does not flood the database. A place of the process is free once it is recorded.
   */
  run<Posted>(
    delivery: Delivery,
    post: (turn: { hasWaited: boolean }) => Promise<Posted | null>,
    record: (posted: Posted | null) => Promise<void>,
  ): void;
  /** Resolves when nothing is under way any more. */
  drained(): Promise<void>;
};

/** A lane has as many claimed in advance as it posted in this time: a slow one has none, and keeps nothing waiting. */
const aheadMs = 500;

/**
 * What is doubtful, retries and deliveries to endpoints that fail or are slow at present, gets so much of the places at
 * most, and what one merchant has this much: however many endpoints are dead or slow, and whoever has them, the others
 * find room, the merchant's own that work among them.
 */
const doubtfulShare = 1 / 2;
const merchantShare = 3 / 4;

type Lane = { posting: number; queue: (() => void)[]; posted: number[] };

export function createLanes(options: { places: number; perLane: number; onFree: () => void }): Lanes {
  const lanes = new Map<string, Lane>();
  const rates = createRates();
  const slowness = createSlowness();
  const underWay = new Set<Promise<void>>();
  const merchants = new Map<string, number>();
  let doubtful = 0;

  const begin = ({ lane: name, doubtful: isDoubtful, webhook }: Delivery): Promise<void> | undefined => {
    const lane = lanes.get(name) ?? { posting: 0, queue: [], posted: [] };
    lanes.set(name, lane);
    if (isDoubtful) doubtful++;
    if (webhook?.ratePerSecond) rates.note(name, webhook.ratePerSecond);
    if (lane.posting < (webhook?.concurrency ?? options.perLane)) {
      lane.posting++;
      return undefined;
    }
    return new Promise((resolve) => lane.queue.push(resolve));
  };
  const end = ({ lane: name, doubtful: isDoubtful, webhook }: Delivery, wasPosted: boolean): void => {
    const lane = lanes.get(name)!;
    if (isDoubtful) doubtful--;
    else if (wasPosted && !webhook?.ratePerSecond) lane.posted.push(performance.now());
    const next = lane.queue.shift();
    if (next) next();
    else lane.posting--;
    options.onFree();
  };
  return {
    room: () => ({
      ...countPlaces(options.places, { underWay: underWay.size, doubtful, merchants }),
      ...countLanes(lanes, { begun: rates.begun(), slow: slowness.find() }),
    }),
    underWay: () => underWay.size,
    rateFreesInMs: rates.freesInMs,
    run(delivery, post, record) {
      const turn = begin(delivery);
      change(merchants, delivery.merchantId, 1);
      const deliver = async (): Promise<void> => {
        await turn;
        const endPost = slowness.begin(delivery.lane);
        const posted = await post({ hasWaited: turn !== undefined });
        endPost();
        if (!delivery.doubtful) end(delivery, posted !== null);
        await record(posted);
        underWay.delete(ended);
        change(merchants, delivery.merchantId, -1);
        if (delivery.doubtful) end(delivery, posted !== null);
        else options.onFree();
      };
      const ended = deliver();
      underWay.add(ended);
    },
    async drained() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function change(counts: Map<string, number>, name: string, by: number): void {
  const now = (counts.get(name) ?? 0) + by;
  if (now > 0) counts.set(name, now);
  else counts.delete(name);
}

/** What there is room for yet: in all, for what is doubtful, for each merchant. */
function countPlaces(
  all: number,
  used: { underWay: number; doubtful: number; merchants: ReadonlyMap<string, number> },
): Pick<Room, 'places' | 'doubtful' | 'ofMerchant' | 'merchants' | 'left'> {
  const places = all - used.underWay;
  const doubtful = Math.ceil(all * doubtfulShare) - used.doubtful;
  const ofMerchant = Math.ceil(all * merchantShare);
  return {
    places,
    doubtful: Math.max(0, Math.min(places, doubtful)),
    ofMerchant,
    merchants: [...used.merchants.keys()],
    left: [...used.merchants.values()].map((count) => Math.max(0, ofMerchant - count)),
  };
}

/** Forgets the lanes that are at rest, and counts the others. */
function countLanes(
  lanes: Map<string, Lane>,
  { begun, slow }: { begun: ReadonlyMap<string, number>; slow: ReadonlySet<string> },
): Pick<Room, 'lanes' | 'used' | 'begun' | 'slow'> {
  const since = performance.now() - aheadMs;
  const used = new Map<string, number>();
  for (const [name, lane] of lanes) {
    lane.posted = lane.posted.filter((time) => time > since);
    const { posting, queue, posted } = lane;
    if (posting === 0 && posted.length === 0) lanes.delete(name);
    used.set(name, posting + queue.length - posted.length);
  }
  const names = [...new Set([...used.keys(), ...begun.keys(), ...slow])];
  return {
    lanes: names,
    used: names.map((name) => used.get(name) ?? 0),
    begun: names.map((name) => begun.get(name) ?? 0),
    slow: names.map((name) => slow.has(name)),
  };
}
