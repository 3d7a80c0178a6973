import { expect, test } from 'vitest';
import { coalesceRead } from '../../src/live/coalesce-read.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What is there, and how often it was read; readings end when told. */
function source() {
  const state = { value: 'old', reads: 0, end: () => {} };
  const read = () => {
    const { value } = state;
    state.reads++;
    return new Promise<string>((resolve) => {
      state.end = () => resolve(value);
    });
  };
  return { state, read };
}

test('those who ask in one turn share a reading that begins after it; another name is another reading', async () => {
  const { state, read } = source();
  const asked = [1, 2, 3].map(() => coalesceRead(state, 'charge', read));
  const other = coalesceRead(state, 'refund', async () => 'another');
  // Whatever made them ask, and more that happens in the turn, is seen.
  state.value = 'new';
  await turn();
  await turn();
  state.end();
  expect(await Promise.all(asked)).toEqual(['new', 'new', 'new']);
  expect(await other).toBe('another');
  expect(state.reads).toBe(1);
});

test('who asks while a reading is under way gets one of their own', async () => {
  const { state, read } = source();
  const before = coalesceRead(state, 'charge', read);
  await turn();
  await turn();
  const endFirst = state.end;
  state.value = 'new';
  const after = coalesceRead(state, 'charge', read);
  await turn();
  await turn();
  state.end();
  endFirst();
  expect([await before, await after]).toEqual(['old', 'new']);
});

test('a reading that fails, fails for those who share it alone', async () => {
  const { state } = source();
  const fail = () => Promise.reject(new Error('away'));
  const asked = [coalesceRead(state, 'charge', fail), coalesceRead(state, 'charge', fail)];
  for (const one of asked) await expect(one).rejects.toThrow('away');
  expect(await coalesceRead(state, 'charge', async () => 'back')).toBe('back');
});
