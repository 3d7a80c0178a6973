import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';

/** Waits until the process has ended; fails if there is no process ID. */
export async function waitForProcessExit(pid: number | undefined): Promise<void> {
  expect(pid).toBeDefined();
  await expect.poll(() => readProcessStartTime(pid!)).toBeUndefined();
}

const pollMs = 100;
const stallMs = 120_000;

/**
 * Waits until nothing remains, however long that takes on a slow machine. Throws if the number has not fallen for two
 * minutes.
 */
export async function waitUntilZero(
  getRemaining: () => number | Promise<number>,
  noun: string,
): Promise<void> {
  let lowest = Number.POSITIVE_INFINITY;
  let since = performance.now();
  for (;;) {
    const remaining = await getRemaining();
    if (remaining <= 0) return;
    if (remaining < lowest) [lowest, since] = [remaining, performance.now()];
    if (performance.now() - since > stallMs)
      throw new Error(`${remaining} ${noun} left, and none fewer for ${stallMs / 1_000} s`);
    await delay(pollMs);
  }
}
