import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 100;
const stallMs = 120_000;

/**
 * Waits until nothing is left, however long it takes, as long as less and less is left: a slow machine is no fault, but
 * one on which nothing has changed for two minutes is.
 */
export async function untilNothingLeft(left: () => number | Promise<number>, what: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const now = await left();
    if (now <= 0) return;
    if (now < least) [least, since] = [now, performance.now()];
    if (performance.now() - since > stallMs)
      throw new Error(`${now} ${what} left, and none fewer for ${stallMs / 1_000} s`);
    await delay(lookEveryMs);
  }
}
