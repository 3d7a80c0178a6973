import { describe, expect, test } from 'vitest';
import { createHub } from '../../src/live/hub.ts';
import { watchObject, watchTopic } from '../../src/live/watch.ts';

const notice = (objectId: string) => ({ objectId, merchantId: 'mer_1', mode: 'live' as const });

describe('watching an object', () => {
  test('gives its present state at once, then its state after each change', async () => {
    const hub = createHub();
    let state = 'pending';
    const states = watchObject(hub, { topic: 'ch_1', read: async () => state });
    expect((await states.next()).value).toBe('pending');
    state = 'completed';
    hub.publish(notice('ch_1'));
    expect((await states.next()).value).toBe('completed');
    await states.return(undefined);
  });

  test('misses no change between listening and reading', async () => {
    const hub = createHub();
    let state = 1;
    const read = async () => {
      const seen = state;
      if (state === 1) {
        state = 2;
        hub.publish(notice('ch_1'));
      }
      return seen;
    };
    const states = watchObject(hub, { topic: 'ch_1', read });
    expect([(await states.next()).value, (await states.next()).value]).toEqual([1, 2]);
    await states.return(undefined);
  });

  test('reads again after a gap in the connection', async () => {
    const hub = createHub();
    let reads = 0;
    const states = watchObject(hub, { topic: 'ch_1', read: async () => ++reads });
    await states.next();
    hub.resync();
    expect((await states.next()).value).toBe(2);
    await states.return(undefined);
  });

  test('folds changes that arrive while the reader is busy', async () => {
    const hub = createHub();
    let reads = 0;
    const states = watchObject(hub, { topic: 'ch_1', read: async () => ++reads });
    await states.next();
    for (let i = 0; i < 1_000; i++) hub.publish(notice('ch_1'));
    await states.next();
    const third = states.next();
    hub.publish(notice('ch_1'));
    await third;
    expect(reads).toBe(3);
    await states.return(undefined);
  });

  test('ends when the signal says so, also while waiting', async () => {
    const hub = createHub();
    const abort = new AbortController();
    const states = watchObject(hub, { topic: 'ch_1', read: async () => 1, signal: abort.signal });
    await states.next();
    const waiting = states.next();
    abort.abort();
    expect((await waiting).done).toBe(true);
  });
});

test('every stream ends when the process stops', async () => {
  const hub = createHub();
  const states = watchObject(hub, { topic: 'ch_1', read: async () => 1 });
  await states.next();
  const waiting = states.next();
  hub.close();
  expect((await waiting).done).toBe(true);
});

test('a topic that is left while waiting ends', async () => {
  const hub = createHub();
  const changes = watchTopic(hub, { topic: 'mer_1 live' });
  const waiting = changes.next();
  await changes.return(undefined);
  expect((await waiting).done).toBe(true);
});

test('a reader who is too busy for all that changes is told so, and holds no memory for it', async () => {
  const hub = createHub();
  const changes = watchTopic(hub, { topic: 'mer_1 live' });
  for (let i = 0; i < 1_000; i++) hub.publish(notice(`ch_${i}`));
  expect((await changes.next()).value?.size).toBe(1_000);
  for (let i = 0; i < 5_000; i++) hub.publish(notice(`ch_${i}`));
  expect((await changes.next()).value).toBeNull();
  hub.publish(notice('ch_1'));
  expect((await changes.next()).value).toEqual(new Set(['ch_1']));
  await changes.return(undefined);
});
