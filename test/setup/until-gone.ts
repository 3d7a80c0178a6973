import { expect } from 'vitest';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';

/** Waits until the process of a number has ended; without one there was none to wait for, and it fails. */
export async function untilGone(pid: number | undefined): Promise<void> {
  expect(pid).toBeDefined();
  await expect.poll(() => readProcessStartTime(pid!)).toBeUndefined();
}
