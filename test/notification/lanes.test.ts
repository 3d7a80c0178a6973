import { expect, onTestFinished, test, vi } from 'vitest';
import { createLanes } from '../../src/notification/lanes.ts';

const delivery = (
  lane: string,
  options: { doubtful?: boolean; concurrency?: number; merchantId?: string } = {},
) => {
  const { doubtful = false, concurrency = null, merchantId = 'mer_1' } = options;
  return { merchantId, lane, doubtful, webhook: { ratePerSecond: null, concurrency } };
};

/** Lanes whose posts and records end when told. */
function lanesWith(places: number, perLane: number) {
  const lanes = createLanes({ places, perLane, onFree: () => {} });
  const begun: string[] = [];
  const ends: Record<'post' | 'record', Map<string, () => void>> = { post: new Map(), record: new Map() };
  const gate = (of: 'post' | 'record', name: string) =>
    new Promise<void>((resolve) => ends[of].set(name, resolve));
  const run = (name: string, what: ReturnType<typeof delivery>) =>
    lanes.run(
      what,
      () => {
        begun.push(name);
        return gate('post', name);
      },
      () => gate('record', name),
    );
  const end = async (of: 'post' | 'record', name: string) => {
    ends[of].get(name)!();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { lanes, begun, run, end };
}

test('what is claimed in advance waits for a place in its lane, in order, and each place is given back once', async () => {
  const { lanes, begun, run, end } = lanesWith(10, 2);
  for (const name of ['a', 'b', 'c', 'd']) run(name, delivery('shop'));
  expect(begun).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a', 'b']);
  expect(lanes.room()).toMatchObject({ places: 6, lanes: ['shop'], used: [4] });
  await end('post', 'b');
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(lanes.room()).toMatchObject({ places: 6, used: [2] });
  for (const name of ['a', 'c', 'd']) await end('post', name);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of ['a', 'b', 'c', 'd']) await end('record', name);
  expect(lanes.room()).toMatchObject({ places: 10, doubtful: 5, used: [-4] });
  expect(lanes.underWay()).toBe(0);
  await lanes.drained();
});

test('what is doubtful keeps its place until it is recorded, and has half of all', async () => {
  const { lanes, run, end } = lanesWith(4, 2);
  run('a', delivery('dead', { doubtful: true }));
  run('b', delivery('dead', { doubtful: true }));
  expect(lanes.room()).toMatchObject({ places: 2, doubtful: 0, used: [2] });
  await new Promise((resolve) => setImmediate(resolve));
  await end('post', 'a');
  expect(lanes.room()).toMatchObject({ places: 2, doubtful: 0, used: [2] });
  await end('record', 'a');
  expect(lanes.room()).toMatchObject({ places: 3, doubtful: 1, used: [1] });
});

test('a merchant has three quarters of all, counted until what it has is recorded', async () => {
  const { lanes, run, end } = lanesWith(8, 8);
  expect(lanes.room()).toMatchObject({ ofMerchant: 6, merchants: [], left: [] });
  for (const name of ['a', 'b', 'c']) run(name, delivery(name, { merchantId: 'mer_a' }));
  run('d', delivery('d', { merchantId: 'mer_b' }));
  await new Promise((resolve) => setImmediate(resolve));
  expect(lanes.room()).toMatchObject({ merchants: ['mer_a', 'mer_b'], left: [3, 5] });
  await end('post', 'd');
  expect(lanes.room()).toMatchObject({ merchants: ['mer_a', 'mer_b'], left: [3, 5] });
  await end('record', 'd');
  expect(lanes.room()).toMatchObject({ merchants: ['mer_a'], left: [3] });
});

test('a lane is slow from the second that a post takes longer than on, and for half a minute after it', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { lanes, run, end } = lanesWith(8, 8);
  const slow = () => {
    const { lanes: names, slow } = lanes.room();
    return names.filter((_, i) => slow[i]);
  };
  run('quick', delivery('quick'));
  run('a', delivery('shop'));
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(900);
  expect(slow()).toEqual([]);
  await end('post', 'quick');
  vi.advanceTimersByTime(200);
  expect(slow()).toEqual(['shop']);
  await end('post', 'a');
  await end('record', 'a');
  vi.advanceTimersByTime(29_900);
  expect(slow()).toEqual(['shop']);
  vi.advanceTimersByTime(200);
  expect(lanes.room()).toMatchObject({ lanes: [], slow: [] });
});
