import type { Clock } from '../../src/kit/clock.ts';

export type TestClock = Clock & { set(now: Date): void; pass(ms: number): void };

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
