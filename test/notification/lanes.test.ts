import { expect, test } from 'vitest';
import { createLanes } from '../../src/notification/lanes.ts';

const delivery = (lane: string, options: { doubtful?: boolean; concurrency?: number } = {}) => {
  const { doubtful = false, concurrency = null } = options;
  return { lane, doubtful, webhook: { ratePerSecond: null, concurrency } };
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
