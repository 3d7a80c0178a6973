import type { Client } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createLiveState,
  resilientSubscription,
  type StreamSink,
} from '../../src/dashboard/graphql/resilient-subscription.ts';
import { followChanges } from '../../src/dashboard/graphql/use-live-updates.ts';

/** How pages of the dashboard follow what happens. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that follows charges, over a socket of which the test plays the server. */
function follow() {
  const told: string[] = [];
  const attempts: { server: StreamSink; isLeft: boolean }[] = [];
  const subscribe = (_request: unknown, server: StreamSink) => {
    const attempt = { server, isLeft: false };
    attempts.push(attempt);
    return () => {
      attempt.isLeft = true;
    };
  };
  const leave = resilientSubscription(
    { subscribe } as unknown as Client,
    { query: 'subscription { chargesUpdated { id } }' },
    {
      next: ({ data }) => told.push(JSON.stringify(Object.values(data ?? {})[0])),
      error: () => told.push('error'),
      complete: () => told.push('complete'),
    },
    {
      live: createLiveState((connection) => told.push(connection)),
      isFinal: (closed) => (closed as { code?: number }).code === 4403,
      onRightsChanged: () => told.push('rights changed'),
    },
  );
  const server = () => attempts.at(-1)?.server as StreamSink;
  return { told, attempts, server, leave };
}

const tells = (id: number) => ({ data: { chargesUpdated: id } });
const refuses = (code: string) => ({ data: null, errors: [{ extensions: { code } }] });

describe('a stream that the server ends', () => {
  test('with a fault, or without a word, begins anew, and it is said meanwhile', async () => {
    const { told, attempts, server } = follow();
    server().next(tells(1));
    server().next(refuses('unavailable'));
    server().complete();
    await vi.advanceTimersByTimeAsync(1_000);
    expect([told, attempts.length]).toEqual([['1', 'lost'], 2]);
    server().next(tells(2));
    server().complete();
    await vi.advanceTimersByTimeAsync(1_000);
    server().next(tells(3));
    expect(told).toEqual(['1', 'lost', 'open', '2', 'lost', 'open', '3']);
    expect(attempts.map(({ isLeft }) => isLeft)).toEqual([true, true, false]);
  });

  test('again and again is asked for less often, and goes on where it has nothing to tell', async () => {
    const { told, attempts, server } = follow();
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      const failedAt = Date.now();
      server().error(i % 2 ? [{ extensions: { code: 'unavailable' } }] : { code: 4500 });
      await vi.advanceTimersToNextTimerAsync();
      waits.push(Date.now() - failedAt);
    }
    expect(waits[0]).toBeLessThan(1_000);
    expect(waits[9]).toBeGreaterThan(5_000);
    expect([attempts.length, told.at(-1)]).toEqual([11, 'lost']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([attempts.length, told.at(-1)]).toEqual([11, 'open']);
  });

  test('because the user may do something else leads to reading anew who is signed in', async () => {
    const { told, attempts, server } = follow();
    server().next(tells(1));
    server().next(refuses('permission_denied'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect([told, attempts.length]).toEqual([['1', 'rights changed'], 1]);
  });

  test('that was never allowed does not', async () => {
    const { told, server } = follow();
    server().next(refuses('permission_denied'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual(['lost']);
  });

  test('because there is no such thing, or nobody is signed in, is not begun anew', async () => {
    const [missing, signedOut] = [follow(), follow()];
    missing.server().next({ data: { chargeUpdated: null } });
    missing.server().complete();
    signedOut.server().error({ code: 4403 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([missing.told, signedOut.told]).toEqual([['null', 'complete'], ['error']]);
    expect([missing.attempts.length, signedOut.attempts.length]).toEqual([1, 1]);
  });

  test('after the page was left stays ended, and nothing is lost by it', async () => {
    const { told, attempts, server, leave } = follow();
    server().error([]);
    leave();
    server().complete();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([told, attempts.length]).toEqual([['lost', 'open'], 1]);
  });
});

test('updates arrive again when the connection and every stream are back', () => {
  const told: string[] = [];
  const live = createLiveState((connection) => told.push(connection));
  live.markLost('socket');
  live.markLost('stream');
  live.markRestored('socket');
  live.markRestored('another stream');
  expect(told).not.toContain('open');
  live.markRestored('stream');
  expect(told.at(-1)).toBe('open');
});

describe('a page that one kind of change concerns', () => {
  function page() {
    let read = 0;
    let tell = (_id: number): void => {};
    const changes = {
      subscribe: (onResult: (result: { data?: number }) => void) => {
        tell = (data) => onResult({ data });
        return { unsubscribe: () => {} };
      },
    };
    followChanges(changes, { isRelevant: (id) => id === 1, onChange: () => read++ });
    return { tell: (id: number) => tell(id), read: () => read };
  }

  test('is read anew, also when others change at the same moment', async () => {
    const { tell, read } = page();
    for (const id of [2, 1, 2]) tell(id);
    await vi.advanceTimersByTimeAsync(0);
    expect(read()).toBe(1);
    tell(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read()).toBe(1);
  });

  test('once for many in a moment, the last of them included', async () => {
    const { tell, read } = page();
    tell(1);
    await vi.advanceTimersByTimeAsync(0);
    for (let i = 0; i < 20; i++) tell(1);
    expect(read()).toBe(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(read()).toBe(2);
  });
});
