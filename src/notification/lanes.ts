/** What is known of a claim before it is delivered. */
type Delivery = { lane: string; doubtful: boolean; webhook: { ratePerSecond: number | null } | null };

/** What may be claimed: places in all and for what is doubtful; and the lanes in use, each with its counts. */
export type Room = {
  places: number;
  doubtful: number;
  lanes: string[];
  /** How many deliveries of each lane are under way, */
  used: number[];
  /** and, where its rate is limited, how many began in the last second. */
  begun: number[];
};

/** Places for deliveries that go on side by side; what takes turns is a lane. */
export type Lanes = {
  room(): Room;
  /** How many deliveries are under way. */
  underWay(): number;
  /** In how many milliseconds a lane may begin again that has begun all its rate allows; null when there is none. */
  rateFreesInMs(): number | null;
  /** Runs the delivery, which must not reject, and gives its place back at its end. */
  run(delivery: Delivery, deliver: () => Promise<void>): void;
  /** Resolves when nothing is under way any more. */
  drained(): Promise<void>;
};

const rateWindowMs = 1_000;

/**
 * What is doubtful, retries and deliveries to webhooks that fail at present, gets half of the places at most: however
 * many endpoints are dead, the others find room.
 */
export function createLanes(options: { places: number; onFree: () => void }): Lanes {
  const busy = new Map<string, number>();
  const rates = createRates();
  const underWay = new Set<Promise<void>>();
  let doubtful = 0;
  const change = ({ lane, ...delivery }: Delivery, by: 1 | -1) => {
    const count = (busy.get(lane) ?? 0) + by;
    if (count === 0) busy.delete(lane);
    else busy.set(lane, count);
    if (delivery.doubtful) doubtful += by;
  };
  return {
    room() {
      const begun = rates.begun();
      const lanes = [...new Set([...busy.keys(), ...begun.keys()])];
      const places = options.places - underWay.size;
      return {
        places,
        doubtful: Math.max(0, Math.min(places, Math.ceil(options.places / 2) - doubtful)),
        lanes,
        used: lanes.map((lane) => busy.get(lane) ?? 0),
        begun: lanes.map((lane) => begun.get(lane) ?? 0),
      };
    },
    underWay: () => underWay.size,
    rateFreesInMs: rates.freesInMs,
    run(delivery, deliver) {
      change(delivery, 1);
      if (delivery.webhook?.ratePerSecond) rates.note(delivery.lane, delivery.webhook.ratePerSecond);
      const ended = deliver().then(() => {
        change(delivery, -1);
        underWay.delete(ended);
        options.onFree();
      });
      underWay.add(ended);
    },
    async drained() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** When the deliveries of the last second began, in lanes with a limited rate. Real time: it paces real requests. */
function createRates() {
  const starts = new Map<string, { limit: number; times: number[] }>();
  const forgetOld = (): void => {
    const since = performance.now() - rateWindowMs;
    for (const [lane, { limit, times }] of starts) {
      const recent = times.filter((time) => time > since);
      if (recent.length === 0) starts.delete(lane);
      else starts.set(lane, { limit, times: recent });
    }
  };
  return {
    note(lane: string, limit: number): void {
      const times = starts.get(lane)?.times ?? [];
      starts.set(lane, { limit, times: [...times, performance.now()] });
    },
    begun(): Map<string, number> {
      forgetOld();
      return new Map([...starts].map(([lane, { times }]) => [lane, times.length]));
    },
    freesInMs(): number | null {
      forgetOld();
      const full = [...starts.values()].filter(({ limit, times }) => times.length >= limit);
      if (full.length === 0) return null;
      const first = Math.min(...full.map(({ limit, times }) => times.at(-limit)!));
      return Math.max(1, first + rateWindowMs - performance.now());
    },
  };
}
