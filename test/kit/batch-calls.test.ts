import { expect, test } from 'vitest';
import { batchCalls } from '../../src/kit/batch-calls.ts';

/** A batched function whose runs end only when the test says so. */
function createBatched(limits: { size: number; concurrency: number }) {
  const runs: { key: string; inputs: number[]; end: PromiseWithResolvers<void> }[] = [];
  const call = batchCalls<number>((key, inputs) => {
    const end = Promise.withResolvers<void>();
    runs.push({ key, inputs, end });
    return end.promise;
  }, limits);
  const listRuns = () => runs.map(({ key, inputs }) => [key, inputs]);
  return { call, runs, listRuns };
}

test('inputs that arrive while their key runs share the next call, at most `size` in order', async () => {
  const { call, runs, listRuns } = createBatched({ size: 2, concurrency: 9 });
  const calls = [1, 2, 3, 4].map((input) => call('a', input));
  expect(listRuns()).toEqual([['a', [1]]]);
  runs[0]!.end.resolve();
  await calls[0];
  expect(listRuns()).toEqual([
    ['a', [1]],
    ['a', [2, 3]],
  ]);
  runs[1]!.end.resolve();
  await Promise.all([calls[1], calls[2]]);
  expect(listRuns().at(-1)).toEqual(['a', [4]]);
  runs[2]!.end.resolve();
  await calls[3];
});

test('a failed call rejects for its own inputs only, and the next one runs', async () => {
  const { call, runs } = createBatched({ size: 2, concurrency: 1 });
  const first = call('a', 1);
  const others = [call('a', 2), call('a', 3)];
  runs[0]!.end.resolve();
  await first;
  const fourth = call('a', 4);
  runs[1]!.end.reject(new Error('down'));
  expect(await Promise.allSettled(others)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  runs[2]!.end.resolve();
  await fourth;
});

test('at most `concurrency` keys run at the same time, and a waiting key collects its inputs', async () => {
  const { call, runs, listRuns } = createBatched({ size: 9, concurrency: 2 });
  const calls = [call('a', 1), call('b', 2), call('c', 3), call('a', 4), call('c', 5)];
  expect(listRuns()).toEqual([
    ['a', [1]],
    ['b', [2]],
  ]);
  runs[0]!.end.resolve();
  await calls[0];
  expect(listRuns().at(-1)).toEqual(['c', [3, 5]]);
  runs[1]!.end.resolve();
  runs[2]!.end.resolve();
  await Promise.all([calls[1], calls[2], calls[4]]);
  expect(listRuns().at(-1)).toEqual(['a', [4]]);
  runs[3]!.end.resolve();
  await calls[3];
  // A key without inputs starts again immediately.
  const last = call('c', 6);
  expect(listRuns().at(-1)).toEqual(['c', [6]]);
  runs[4]!.end.resolve();
  await last;
});
