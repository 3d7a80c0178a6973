import { createRates } from './rates.ts';

/** What is known of a claim before it is delivered. */
type Delivery = {
  lane: string;
  doubtful: boolean;
  webhook: { ratePerSecond: number | null; concurrency: number | null } | null;
};

/** What may be claimed: places in all and for what is doubtful; and the lanes in use, each with its counts. */
export type Room = {
  places: number;
  doubtful: number;
  lanes: string[];
  /**
   * How many deliveries of each lane are claimed and not posted, less those that it may have claimed in advance: below
   * zero for a fast lane.
   */
  used: number[];
  /** Where its rate is limited: how many began in the last second. */
  begun: number[];
};

/** Places for deliveries that go on side by side; what takes turns is a lane. */
export type Lanes = {
  room(): Room;
  /** How many deliveries are under way. */
  underWay(): number;
  /** In how many milliseconds a lane may begin again that has begun all its rate allows; null when there is none. */
  rateFreesInMs(): number | null;
  /**
   * Posts, then records; neither may reject. Null when it was not posted after all. The place in the lane is free once it is posted, so that a lane is as fast as
   * its endpoint; of what is doubtful once it is recorded, so that what fails fast does not flood the database. A place of
   * the process is free once it is recorded.
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

type Lane = { posting: number; queue: (() => void)[]; posted: number[] };

/**
 * What is doubtful, retries and deliveries to webhooks that fail at present, gets half of the places at most: however
 * many endpoints are dead, the others find room.
 */
export function createLanes(options: { places: number; perLane: number; onFree: () => void }): Lanes {
  const lanes = new Map<string, Lane>();
  const rates = createRates();
  const underWay = new Set<Promise<void>>();
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
    room: () => {
      const places = options.places - underWay.size;
      const room = Math.ceil(options.places / 2) - doubtful;
      return { places, doubtful: Math.max(0, Math.min(places, room)), ...countLanes(lanes, rates.begun()) };
    },
    underWay: () => underWay.size,
    rateFreesInMs: rates.freesInMs,
    run(delivery, post, record) {
      const turn = begin(delivery);
      const deliver = async (): Promise<void> => {
        await turn;
        const posted = await post({ hasWaited: turn !== undefined });
        if (!delivery.doubtful) end(delivery, posted !== null);
        await record(posted);
        underWay.delete(ended);
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

/** Forgets the lanes that are at rest, and counts the others. */
function countLanes(
  lanes: Map<string, Lane>,
  begun: ReadonlyMap<string, number>,
): Pick<Room, 'lanes' | 'used' | 'begun'> {
  const since = performance.now() - aheadMs;
  const counts: [name: string, used: number, begun: number][] = [];
  for (const [name, lane] of lanes) {
    lane.posted = lane.posted.filter((time) => time > since);
    const { posting, queue, posted } = lane;
    if (posting === 0 && posted.length === 0) lanes.delete(name);
    counts.push([name, posting + queue.length - posted.length, begun.get(name) ?? 0]);
  }
  for (const [name, count] of begun) if (!lanes.has(name)) counts.push([name, 0, count]);
  return {
    lanes: counts.map(([name]) => name),
    used: counts.map(([, used]) => used),
    begun: counts.map(([, , count]) => count),
  };
}
