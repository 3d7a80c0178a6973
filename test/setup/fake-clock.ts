/** A clock for merchant time and machine time alike, for tests without a sandbox test clock. */
export type PlainClock = { now(): Date };

export type FakeClock = PlainClock & { set(now: Date): void; advance(ms: number): void };

export function createFakeClock(start: Date): FakeClock {
  let now = start;
  return {
    now: () => now,
    set(newTime) {
      now = newTime;
    },
    advance(ms) {
      now = new Date(now.getTime() + ms);
    },
  };
}
