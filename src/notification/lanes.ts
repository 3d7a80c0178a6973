/** Places for deliveries that go on side by side; a lane is what takes turns, the host and port of a URL. */
export type Lanes = {
  /** How many places are free in all. */
  free(): number;
  /** How many deliveries each lane in use has under way. */
  readonly busy: ReadonlyMap<string, number>;
  /** Runs the delivery, which must not reject, and gives its place back at its end. */
  run(lane: string, delivery: () => Promise<void>): void;
  /** Resolves when nothing is under way any more. */
  drained(): Promise<void>;
};

export function createLanes(options: { places: number; onFree: () => void }): Lanes {
  const busy = new Map<string, number>();
  const underWay = new Set<Promise<void>>();
  const change = (lane: string, by: 1 | -1) => {
    const count = (busy.get(lane) ?? 0) + by;
    if (count === 0) busy.delete(lane);
    else busy.set(lane, count);
  };
  return {
    busy,
    free: () => options.places - underWay.size,
    run(lane, delivery) {
      change(lane, 1);
      const ended = delivery().then(() => {
        change(lane, -1);
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
