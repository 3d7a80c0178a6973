import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createSlots, type DueQueue } from '../../src/notification/slots.ts';

const queue = (key: string, options: Partial<DueQueue> = {}): DueQueue => ({
  key,
  merchantId: 'mer_1',
  due: 100,
  failing: false,
  disabled: false,
  concurrency: null,
  ratePerSecond: null,
  ...options,
});
const granted = (slots: ReturnType<typeof createSlots>, queues: readonly DueQueue[]) =>
  Object.fromEntries(slots.grant(queues).slots);
/** Begins all that is granted, as a process does. */
const takeAll = (slots: ReturnType<typeof createSlots>, queues: readonly DueQueue[]) =>
  [...slots.grant(queues).slots].flatMap(([key, count]) =>
    Array.from({ length: count }, () => {
      const slot = slots.take(key);
      void slot.begin();
      return {
        end: (isDelivered: boolean) => {
          slot.end(isDelivered);
          slot.release();
        },
      };
    }),
  );

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
});

test('a queue gets as many slots as it has due, up to its limit, and each again when its delivery ends', () => {
  const slots = createSlots({ total: 100, perQueue: 2 });
  expect(
    granted(slots, [queue('shop'), queue('small', { due: 1 }), queue('wide', { concurrency: 5 })]),
  ).toEqual({
    shop: 2,
    small: 1,
    wide: 5,
  });
  const limited = queue('limited', { ratePerSecond: 1_000 });
  const taken = takeAll(slots, [limited]);
  expect(slots.inUse()).toBe(2);
  expect(granted(slots, [limited])).toEqual({});
  taken[0]!.end(true);
  expect(granted(slots, [limited])).toEqual({ limited: 1 });
  taken[1]!.end(true);
  expect(slots.inUse()).toBe(0);
});

test('a healthy queue is claimed from in advance, and what waits begins in its order', async () => {
  const slots = createSlots({ total: 100, perQueue: 2 });
  for (const { end } of takeAll(slots, [queue('shop')])) end(true);
  expect(granted(slots, [queue('shop')])).toEqual({ shop: 4 });
  const begun: number[] = [];
  const taken = [0, 1, 2, 3].map((i) => {
    const slot = slots.take('shop');
    slot.begin().then(() => begun.push(i));
    return slot;
  });
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  taken[1]!.end(true);
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  // What ran is not recorded yet.
  expect(slots.inUse()).toBe(4);
});

test('a failing webhook gets two slots, whatever its concurrency', () => {
  const slots = createSlots({ total: 100, perQueue: 10 });
  expect(granted(slots, [queue('dead', { failing: true, concurrency: 50 })])).toEqual({ dead: 2 });
});

test('degraded endpoints get half of all slots at most', () => {
  const slots = createSlots({ total: 8, perQueue: 2 });
  const dead = Array.from({ length: 6 }, (_, i) => queue(`dead ${i}`, { failing: true }));
  const taken = takeAll(slots, dead);
  expect(taken).toHaveLength(4);
  expect(granted(slots, [...dead, queue('shop')])).toEqual({ shop: 2 });
  taken[0]!.end(false);
  const more = granted(slots, dead);
  expect(Object.values(more)).toEqual([1]);
});

test('a merchant gets three quarters of all slots at most', () => {
  const slots = createSlots({ total: 8, perQueue: 8 });
  expect(takeAll(slots, [queue('a'), queue('b')])).toHaveLength(6);
  expect(granted(slots, [queue('a'), queue('other', { merchantId: 'mer_2' })])).toEqual({ other: 2 });
});

test('merchants get slots in turn, so that the backlog of one does not delay another', () => {
  const slots = createSlots({ total: 8, perQueue: 8 });
  const large = Array.from({ length: 50 }, (_, i) => queue(`large ${i}`));
  const { small, ...rest } = granted(slots, [...large, queue('small', { merchantId: 'mer_2' })]);
  expect(small).toBe(4);
  expect(Object.keys(rest)).toHaveLength(4);
});

test('a disabled webhook gets slots for what is skipped, whatever its limits', () => {
  const slots = createSlots({ total: 512, perQueue: 10 });
  expect(granted(slots, [queue('off', { disabled: true, failing: true, ratePerSecond: 1 })])).toEqual({
    off: 100,
  });
});

test('a queue begins no more in a second than its rate allows', () => {
  const slots = createSlots({ total: 100, perQueue: 10 });
  const limited = queue('limited', { ratePerSecond: 3 });
  for (const { end } of takeAll(slots, [limited])) end(true);
  vi.advanceTimersByTime(400);
  expect(slots.grant([limited])).toEqual({ slots: new Map(), rateFreesInMs: 600 });
  vi.advanceTimersByTime(601);
  expect(granted(slots, [limited])).toEqual({ limited: 3 });
});

test.each([
  ['takes longer than a second', true, 1_100],
  ['fails', false, 10],
])('an endpoint is degraded for half a minute after a delivery that %s', (_, isDelivered, tookMs) => {
  const slots = createSlots({ total: 8, perQueue: 8 });
  const isDegraded = () => granted(slots, [queue('shop')]).shop! <= 4;
  const [first] = takeAll(slots, [queue('shop', { due: 1 })]);
  expect(isDegraded()).toBe(false);
  vi.advanceTimersByTime(tookMs);
  first!.end(isDelivered);
  vi.advanceTimersByTime(29_900);
  expect(isDegraded()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(isDegraded()).toBe(false);
});

test('an endpoint is degraded while a delivery to it has taken longer than a second', () => {
  const slots = createSlots({ total: 8, perQueue: 8 });
  takeAll(slots, [queue('shop', { due: 1 })]);
  vi.advanceTimersByTime(900);
  expect(granted(slots, [queue('shop')])).toEqual({ shop: 5 });
  vi.advanceTimersByTime(200);
  expect(granted(slots, [queue('shop')])).toEqual({ shop: 3 });
});
