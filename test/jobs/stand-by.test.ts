import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createResidentRun } from '../../src/jobs/resident-run.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('sweeps at once, and then each second', async () => {
  const { sweeps, end } = standing();
  await vi.advanceTimersByTimeAsync(0);
  expect(sweeps).toEqual([0]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(sweeps).toEqual([0, 1_000, 2_000, 3_000]);
  await end();
});

test('sweeps at once when woken', async () => {
  const { standBy, sweeps, end } = standing();
  await vi.advanceTimersByTimeAsync(400);
  standBy.wake();
  await vi.advanceTimersByTimeAsync(0);
  expect(sweeps).toEqual([0, 400]);
  await end();
});

test('sweeps once more, and only once, for all the wakes during a sweep', async () => {
  const { standBy, sweeps, end } = standing(100);
  await vi.advanceTimersByTimeAsync(50);
  for (let n = 0; n < 100; n++) standBy.wake();
  await vi.advanceTimersByTimeAsync(800);
  expect(sweeps).toEqual([0, 100]);
  await end();
});

test('keeps 10 ms between the beginnings of sweeps, and loses no wake in between', async () => {
  const { standBy, sweeps, end } = standing();
  for (let ms = 0; ms < 50; ms++) {
    standBy.wake();
    await vi.advanceTimersByTimeAsync(1);
  }
  await vi.advanceTimersByTimeAsync(500);
  expect(sweeps).toEqual([0, 10, 20, 30, 40, 50]);
  await end();
});

test('ends when aborted, at rest and after the sweep that goes on', async () => {
  for (const workMs of [0, 100]) {
    const { sweeps, end } = standing(workMs);
    await vi.advanceTimersByTimeAsync(50);
    await end();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(sweeps).toHaveLength(1);
  }
});

test('ends with the fault of a sweep', async () => {
  const run = createResidentRun().run(
    () => Promise.reject(new Error('no luck')),
    new AbortController().signal,
  );
  await expect(run).rejects.toThrow('no luck');
});

/** Stands by with sweeps that take so long, and notes when each began. */
function standing(workMs = 0) {
  const standBy = createResidentRun();
  const controller = new AbortController();
  const sweeps: number[] = [];
  const start = performance.now();
  const sweep = async () => {
    sweeps.push(performance.now() - start);
    if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
  };
  const run = standBy.run(sweep, controller.signal);
  const end = async () => {
    controller.abort();
    await vi.advanceTimersByTimeAsync(workMs + 10);
    await run;
  };
  return { standBy, sweeps, end };
}
