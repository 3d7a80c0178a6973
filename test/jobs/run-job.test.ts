import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockLifetimeMs } from '../../src/jobs/agenda.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { throwError } from '../setup/errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});

test('a run that has used its 18 s is told to end', async () => {
  const told = vi.fn();
  const run = runJob(
    lockedJob(),
    {
      work: (signal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => {
            told();
            resolve();
          });
        }),
    },
    throwError,
  );
  await vi.advanceTimersByTimeAsync(17_999);
  expect(told).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toHaveBeenCalled();
  await run.ended;
});

test('a run that does not end is given up after a minute', async () => {
  const run = runJob(lockedJob(), { work: never }, throwError);
  const outcome = expect(run.ended).rejects.toThrow('sweep did not finish within 60 s');
  await vi.advanceTimersByTimeAsync(60_000);
  await outcome;
});

test('the lock of a run is renewed well before it runs out, and no more after the end', async () => {
  const job = lockedJob();
  const work = Promise.withResolvers<void>();
  const run = runJob(job, { work: () => work.promise }, throwError);
  await vi.advanceTimersByTimeAsync(lockLifetimeMs);
  expect(job.touch.mock.calls.length).toBe(2);
  work.resolve();
  await run.ended;
  job.touch.mockClear();
  await vi.advanceTimersByTimeAsync(lockLifetimeMs);
  expect(job.touch).not.toHaveBeenCalled();
});

test('the end of a run waits for a renewal under way, which would lock the job again', async () => {
  const job = lockedJob();
  const renewal = Promise.withResolvers<void>();
  job.touch.mockReturnValue(renewal.promise);
  const work = Promise.withResolvers<void>();
  const ended = vi.fn();
  const run = runJob(job, { work: () => work.promise }, throwError);
  void run.ended.then(ended);
  await vi.advanceTimersByTimeAsync(lockLifetimeMs / 2);
  work.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).not.toHaveBeenCalled();
  renewal.resolve();
  await run.ended;
});

test('a renewal that fails is reported and does not end the run', async () => {
  const job = lockedJob();
  job.touch.mockRejectedValue(new Error('no database'));
  const errors: string[] = [];
  const work = Promise.withResolvers<void>();
  const run = runJob(job, { work: () => work.promise }, (error) => errors.push(error.message));
  await vi.advanceTimersByTimeAsync(lockLifetimeMs / 2);
  work.resolve();
  await run.ended;
  expect(errors).toEqual(['no database']);
});

function lockedJob() {
  return { attrs: { name: 'sweep' }, touch: vi.fn(async () => {}) } as never as Parameters<
    typeof runJob
  >[0] & {
    touch: ReturnType<typeof vi.fn<() => Promise<void>>>;
  };
}
