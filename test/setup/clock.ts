/** A clock whose time is the merchant's as well as the machine's, for tests that advance no test clock of a sandbox. */
export type OneClock = { now(): Date };

export type TestClock = OneClock & { set(now: Date): void; pass(ms: number): void };

/** A clock that stands still until it is set, or told that time passes. */
export function testClock(start: Date): TestClock {
  let now = start;
  return {
    now: () => now,
    set(time) {
      now = time;
    },
    pass(ms) {
      now = new Date(now.getTime() + ms);
    },
  };
}
