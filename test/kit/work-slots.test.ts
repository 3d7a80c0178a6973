import { expect, test } from 'vitest';
import { createWorkSlots } from '../../src/kit/work-slots.ts';

test('slots start no more work while they are paused', async () => {
  const onError = (error: Error) => expect.unreachable(error.message);
  const ends: (() => void)[] = [];
  let isPaused = false;
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const slots = createWorkSlots({
    ...{ concurrency: 1, claim: async () => 'claim', work, onError },
    isPaused: () => isPaused,
  });
  await slots.startDue();
  isPaused = true;
  ends[0]!();
  await slots.startDue();
  expect(ends).toHaveLength(1);
  isPaused = false;
  await slots.startDue();
  expect(ends).toHaveLength(2);
  ends[1]!();
  isPaused = true;
  await slots.stop();
});
