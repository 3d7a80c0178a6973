import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAgenda, lockLifetimeMs } from '../../src/jobs/agenda.ts';
import type { JobStore } from '../../src/jobs/job-store.ts';
import { createJobTrigger, triggerOnNotices } from '../../src/jobs/job-trigger.ts';
import { openMongoJobStore } from '../../src/jobs/mongo-job-store.ts';
import { createResidentRun } from '../../src/jobs/resident-run.ts';
import { runJob } from '../../src/jobs/run-job.ts';
import { createHub } from '../../src/live/hub.ts';
import { throwError } from '../setup/errors.ts';

describe('Run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const never = () => new Promise<never>(() => {});

  test('is aborted after 18 s', async () => {
    const onAbort = vi.fn();
    const run = runJob(
      createLockedJob(),
      {
        work: (signal) =>
          new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => {
              onAbort();
              resolve();
            });
          }),
      },
      throwError,
    );
    await vi.advanceTimersByTimeAsync(17_999);
    expect(onAbort).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onAbort).toHaveBeenCalled();
    await run.ended;
  });

  test('is abandoned after a minute', async () => {
    const run = runJob(createLockedJob(), { work: never }, throwError);
    const outcome = expect(run.ended).rejects.toThrow('sweep did not finish within 60 s');
    await vi.advanceTimersByTimeAsync(60_000);
    await outcome;
  });

  test('renews its lock before it expires, and not after the end', async () => {
    const job = createLockedJob();
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

  test('waits at its end for a running renewal, which would lock the job again', async () => {
    const job = createLockedJob();
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

  test('reports a failed renewal and continues', async () => {
    const job = createLockedJob();
    job.touch.mockRejectedValue(new Error('no database'));
    const errors: string[] = [];
    const work = Promise.withResolvers<void>();
    const run = runJob(job, { work: () => work.promise }, (error) => errors.push(error.message));
    await vi.advanceTimersByTimeAsync(lockLifetimeMs / 2);
    work.resolve();
    await run.ended;
    expect(errors).toEqual(['no database']);
  });

  function createLockedJob() {
    return { attrs: { name: 'sweep' }, touch: vi.fn(async () => {}) } as never as Parameters<
      typeof runJob
    >[0] & {
      touch: ReturnType<typeof vi.fn<() => Promise<void>>>;
    };
  }
});

describe('Resident run', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('sweeps immediately, and then each second', async () => {
    const { sweeps, end } = startResidentRun();
    await vi.advanceTimersByTimeAsync(0);
    expect(sweeps).toEqual([0]);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(sweeps).toEqual([0, 1_000, 2_000, 3_000]);
    await end();
  });

  test('sweeps immediately when triggered', async () => {
    const { resident, sweeps, end } = startResidentRun();
    await vi.advanceTimersByTimeAsync(400);
    resident.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(sweeps).toEqual([0, 400]);
    await end();
  });

  test('sweeps exactly once more for all triggers during a sweep', async () => {
    const { resident, sweeps, end } = startResidentRun(100);
    await vi.advanceTimersByTimeAsync(50);
    for (let n = 0; n < 100; n++) resident.wake();
    await vi.advanceTimersByTimeAsync(800);
    expect(sweeps).toEqual([0, 100]);
    await end();
  });

  test('waits 10 ms between the starts of sweeps, and loses no trigger', async () => {
    const { resident, sweeps, end } = startResidentRun();
    for (let ms = 0; ms < 50; ms++) {
      resident.wake();
      await vi.advanceTimersByTimeAsync(1);
    }
    await vi.advanceTimersByTimeAsync(500);
    expect(sweeps).toEqual([0, 10, 20, 30, 40, 50]);
    await end();
  });

  test('ends when aborted, also after a running sweep', async () => {
    for (const workMs of [0, 100]) {
      const { sweeps, end } = startResidentRun(workMs);
      await vi.advanceTimersByTimeAsync(50);
      await end();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(sweeps).toHaveLength(1);
    }
  });

  test('ends with the error of a sweep', async () => {
    const run = createResidentRun().run(
      () => Promise.reject(new Error('no luck')),
      new AbortController().signal,
    );
    await expect(run).rejects.toThrow('no luck');
  });

  /** Starts sweeps that take `workMs`, and records when each began. */
  function startResidentRun(workMs = 0) {
    const resident = createResidentRun();
    const controller = new AbortController();
    const sweeps: number[] = [];
    const start = performance.now();
    const sweep = async () => {
      sweeps.push(performance.now() - start);
      if (workMs > 0) await new Promise((resolve) => setTimeout(resolve, workMs));
    };
    const run = resident.run(sweep, controller.signal);
    const end = async () => {
      controller.abort();
      await vi.advanceTimersByTimeAsync(workMs + 10);
      await run;
    };
    return { resident, sweeps, end };
  }
});

describe('Job trigger', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('requests one more run for all triggers during a request', async () => {
    const { waker, requestCount, finishRequest } = createTrigger();
    waker.wake('relay-events');
    for (let n = 0; n < 100; n++) waker.wake('relay-events');
    expect(requestCount()).toBe(1);
    await finishRequest();
    expect(requestCount()).toBe(2);
    await finishRequest();
    expect(requestCount()).toBe(2);
    waker.wake('relay-events');
    expect(requestCount()).toBe(3);
  });

  test('requests no run while one runs in this process', async () => {
    const { waker, requestCount, finishRequest } = createTrigger({ isRunning: () => true });
    waker.wake('relay-events');
    waker.wake('relay-events');
    await finishRequest();
    expect(requestCount()).toBe(1);
  });

  test('requests runs of different jobs independently', async () => {
    const { waker, requestCount } = createTrigger();
    waker.wake('relay-events');
    waker.wake('deliver-notifications');
    expect(requestCount()).toBe(2);
  });

  test('requests no run for a second after a failure', async () => {
    const errors: string[] = [];
    const requestRun = vi.fn(async (): Promise<void> => {
      throw new Error('no database');
    });
    const waker = createJobTrigger({
      requestRun,
      isRunning: () => false,
      onError: (error) => errors.push(error.message),
    });
    waker.wake('relay-events');
    await vi.advanceTimersByTimeAsync(900);
    waker.wake('relay-events');
    expect(errors).toEqual(['no database']);
    expect(requestRun).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    waker.wake('relay-events');
    expect(requestRun).toHaveBeenCalledTimes(2);
  });

  test.each([
    ['a charge', 'ch_1', ['relay-events']],
    ['a notification', 'nt_1', ['deliver-notifications']],
    ['a message', 'msg_1', ['send-mail', 'send-sms', 'send-chat']],
    ['a statement', 'st_1', ['import-statements']],
    ['an export', 'exp_1', ['build-exports']],
  ])('triggers for a notice of %s the jobs %s', (_, objectId, expected) => {
    const hub = createHub();
    const triggered: string[] = [];
    triggerOnNotices(hub, (name) => triggered.push(name));
    hub.publish({ objectId, merchantId: 'mer_1', mode: 'live' });
    expect(triggered).toEqual(expected);
  });

  test('triggers all jobs when notices may have been missed, and none after the end', () => {
    const hub = createHub();
    const triggered: string[] = [];
    const end = triggerOnNotices(hub, (name) => triggered.push(name));
    hub.resync();
    expect(triggered).toEqual([
      'relay-events',
      'deliver-notifications',
      'send-mail',
      'send-sms',
      'send-chat',
      'process-reset-requests',
      'import-statements',
      'build-exports',
      'poll-feeds',
    ]);
    end();
    hub.resync();
    expect(triggered).toHaveLength(9);
  });

  function createTrigger(options: { isRunning?: () => boolean } = {}) {
    const requests: (() => void)[] = [];
    const waker = createJobTrigger({
      requestRun: () => new Promise<void>((resolve) => requests.push(resolve)),
      isRunning: options.isRunning ?? (() => false),
      onError: throwError,
    });
    return {
      waker,
      requestCount: () => requests.length,
      async finishRequest() {
        requests.at(-1)!();
        await vi.advanceTimersByTimeAsync(0);
      },
    };
  }
});

test('Agenda’s error about a run that is being saved is ignored; others are reported', () => {
  const onError = vi.fn();
  const store = { name: 'PostgreSQL', repository: {} } as JobStore;
  const agenda = createAgenda(store, { processName: 'one', runsJobs: false, onError });
  const why = 'Ensure to call touch() for long running jobs to keep them alive.';
  agenda.emit('error', new Error(`execution of 'sweep' canceled, no lockedAt date found. ${why}`));
  expect(onError).not.toHaveBeenCalled();
  const overdue = new Error("execution of 'sweep' canceled, execution took more than 10000ms.");
  agenda.emit('error', overdue);
  expect(onError).toHaveBeenCalledExactlyOnceWith(overdue);
});

test('An invalid MONGODB_URL is reported without its password', async () => {
  for (const address of ['mongodb://ada:letmein@', 'mongodb://ada:letmein@a.example:27017:1/causeway']) {
    const error = await openMongoJobStore({ mongodbUrl: address, processName: 'test' }, console.error).catch(
      (reason: Error) => reason,
    );
    expect((error as Error).message).toMatch(/^MONGODB_URL: /);
    expect((error as Error).message).not.toContain('letmein');
  }
});
