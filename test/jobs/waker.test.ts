import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createJobTrigger, triggerOnNotices } from '../../src/jobs/job-trigger.ts';
import { createHub } from '../../src/live/hub.ts';
import { throwError } from '../setup/errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('wakes that come in while a run is asked for lead to one more', async () => {
  const { waker, asked, answer } = wakerWithAsks();
  waker.wake('relay-events');
  for (let n = 0; n < 100; n++) waker.wake('relay-events');
  expect(asked()).toBe(1);
  await answer();
  expect(asked()).toBe(2);
  await answer();
  expect(asked()).toBe(2);
  waker.wake('relay-events');
  expect(asked()).toBe(3);
});

test('no more runs are asked for once one is under way here', async () => {
  const { waker, asked, answer } = wakerWithAsks({ underWay: () => true });
  waker.wake('relay-events');
  waker.wake('relay-events');
  await answer();
  expect(asked()).toBe(1);
});

test('jobs do not wait for each other', async () => {
  const { waker, asked } = wakerWithAsks();
  waker.wake('relay-events');
  waker.wake('deliver-notifications');
  expect(asked()).toBe(2);
});

test('after a failure the job is left to its schedule for a second', async () => {
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
  ['a message', 'msg_1', ['send-mail', 'send-sms']],
  ['a statement', 'st_1', ['import-statements']],
  ['an export', 'exp_1', ['build-exports']],
])('a notice of %s wakes %s', (_, objectId, expected) => {
  const hub = createHub();
  const woken: string[] = [];
  triggerOnNotices(hub, (name) => woken.push(name));
  hub.publish({ objectId, merchantId: 'mer_1', mode: 'live' });
  expect(woken).toEqual(expected);
});

test('when notices may have been missed, all are woken; after the end none', () => {
  const hub = createHub();
  const woken: string[] = [];
  const end = triggerOnNotices(hub, (name) => woken.push(name));
  hub.resync();
  expect(woken).toEqual([
    'relay-events',
    'deliver-notifications',
    'send-mail',
    'send-sms',
    'answer-reset-requests',
    'import-statements',
    'build-exports',
  ]);
  end();
  hub.resync();
  expect(woken).toHaveLength(7);
});

function wakerWithAsks(options: { underWay?: () => boolean } = {}) {
  const asks: (() => void)[] = [];
  const waker = createJobTrigger({
    requestRun: () => new Promise<void>((resolve) => asks.push(resolve)),
    isRunning: options.underWay ?? (() => false),
    onError: throwError,
  });
  return {
    waker,
    asked: () => asks.length,
    async answer() {
      asks.at(-1)!();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}
