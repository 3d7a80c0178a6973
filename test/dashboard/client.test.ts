import '../setup/dashboard-texts.ts';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse, validate } from 'graphql';
import type { Client as SocketClient } from 'graphql-ws';
import { Client, fetchExchange } from 'urql';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { dashboardTypesFile, renderDashboardTypes } from '../../scripts/dashboard-types.ts';
import { idempotencyExchange, sessionExchange } from '../../src/dashboard/graphql/client.ts';
import { setPageViewer } from '../../src/dashboard/graphql/page-viewer.ts';
import {
  createLiveState,
  resilientSubscription,
  type StreamSink,
} from '../../src/dashboard/graphql/resilient-subscription.ts';
import { followChanges } from '../../src/dashboard/graphql/use-live-updates.ts';

/** Subscribes to charges over a socket whose server is the test. */
function subscribeToCharges() {
  const received: string[] = [];
  const attempts: { server: StreamSink; isUnsubscribed: boolean }[] = [];
  const subscribe = (_request: unknown, server: StreamSink) => {
    const attempt = { server, isUnsubscribed: false };
    attempts.push(attempt);
    return () => {
      attempt.isUnsubscribed = true;
    };
  };
  const unsubscribe = resilientSubscription(
    { subscribe } as unknown as SocketClient,
    { query: 'subscription { chargesUpdated { id } }' },
    {
      next: ({ data }) => received.push(JSON.stringify(Object.values(data ?? {})[0])),
      error: () => received.push('error'),
      complete: () => received.push('complete'),
    },
    {
      liveState: createLiveState((connection) => received.push(connection)),
      isFinal: (closed) => (closed as { code?: number }).code === 4401,
      onPermissionsChanged: () => received.push('rights changed'),
    },
  );
  const server = () => attempts.at(-1)?.server as StreamSink;
  return { received, attempts, server, unsubscribe };
}

const toData = (id: number) => ({ data: { chargesUpdated: id } });

const toError = (code: string) => ({ data: null, errors: [{ extensions: { code } }] });

const viewerQuery = '{ viewer { user { id } } }';

const chargesQuery = '{ charges { totalCount } }';

const gateContext = { requestPolicy: 'network-only', isGate: true } as const;

/** Opens a tab; `state` has the user who is signed in and the number of sign-outs. */
function openTab() {
  const state = { signedIn: 'usr_1' as string | null, signOuts: 0 };
  const onSignedOut = () => {
    state.signOuts += 1;
  };
  const viewers: (string | null)[] = [];
  const client = new Client({
    url: 'http://dashboard.example/graphql',
    preferGetMethod: false,
    exchanges: [sessionExchange({ onSignedOut, isClosed: () => false }), fetchExchange],
    fetch: async (_url, request) => {
      const viewer = new Headers(request?.headers).get('causeway-viewer');
      viewers.push(viewer);
      if (viewer !== null && viewer !== state.signedIn) {
        const errors = [{ message: 'Another user', extensions: { code: 'unauthenticated' } }];
        return Response.json({ errors }, { status: 401 });
      }
      const user = state.signedIn === null ? null : { user: { id: state.signedIn } };
      return Response.json({ data: { viewer: user } });
    },
  });
  return {
    state,
    viewers,
    send: (query: string, context = {}) => client.query(query, {}, context).toPromise(),
  };
}

const refund =
  'mutation ($amount: Decimal!) { createRefund(input: { customerAmount: $amount }) { __typename } }';

const skip = 'mutation ($id: ID!) { skipSubscriptionPayment(input: { id: $id }) { __typename } }';

const rename = 'mutation ($name: String!) { updateViewer(input: { name: $name }) { __typename } }';

/** A client of a server whose responses may be lost. */
function createTestClient() {
  const keys: (string | null)[] = [];
  const state = {
    isLost: false,
    response: { createRefund: { __typename: 'CreateRefundSuccess' } } as object,
  };
  const client = new Client({
    url: 'http://dashboard.example/graphql',
    preferGetMethod: false,
    exchanges: [idempotencyExchange(), fetchExchange],
    fetchOptions: { headers: { 'causeway-mode': 'live' } },
    fetch: async (_url, request) => {
      const headers = new Headers(request?.headers);
      expect(headers.get('causeway-mode')).toBe('live');
      keys.push(headers.get('idempotency-key'));
      if (state.isLost) throw new TypeError('Failed to fetch');
      return Response.json({ data: state.response });
    },
  });
  const send = (document: string, variables: object) => client.mutation(document, variables).toPromise();
  return { keys, state, send };
}

const dashboard = fileURLToPath(new URL('../../src/dashboard/', import.meta.url));

describe('live updates', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => void vi.useRealTimers());

  describe('a stream that the server ends', () => {
    test('with or without an error is subscribed to again, and reported as lost until then', async () => {
      const { received, attempts, server } = subscribeToCharges();
      server().next(toData(1));
      server().next(toError('unavailable'));
      server().complete();
      await vi.advanceTimersByTimeAsync(1_000);
      expect([received, attempts.length]).toEqual([['1', 'lost'], 2]);
      server().next(toData(2));
      server().complete();
      await vi.advanceTimersByTimeAsync(1_000);
      server().next(toData(3));
      expect(received).toEqual(['1', 'lost', 'open', '2', 'lost', 'open', '3']);
      expect(attempts.map(({ isUnsubscribed }) => isUnsubscribed)).toEqual([true, true, false]);
    });

    test('repeatedly is retried with growing delays, and counts as restored without an error', async () => {
      const { received, attempts, server } = subscribeToCharges();
      const waits: number[] = [];
      for (let i = 0; i < 10; i++) {
        const failedAt = Date.now();
        server().error(i % 2 ? [{ extensions: { code: 'unavailable' } }] : { code: 4500 });
        await vi.advanceTimersToNextTimerAsync();
        waits.push(Date.now() - failedAt);
      }
      expect(waits[0]).toBeLessThan(1_000);
      expect(waits[9]).toBeGreaterThan(5_000);
      expect([attempts.length, received.at(-1)]).toEqual([11, 'lost']);
      await vi.advanceTimersByTimeAsync(60_000);
      expect([attempts.length, received.at(-1)]).toEqual([11, 'open']);
    });

    test('because of changed permissions reloads the viewer', async () => {
      const { received, attempts, server } = subscribeToCharges();
      server().next(toData(1));
      server().next(toError('permission_denied'));
      await vi.advanceTimersByTimeAsync(60_000);
      expect([received, attempts.length]).toEqual([['1', 'rights changed'], 1]);
    });

    test('without ever being allowed does not reload the viewer', async () => {
      const { received, server } = subscribeToCharges();
      server().next(toError('permission_denied'));
      await vi.advanceTimersByTimeAsync(1_000);
      expect(received).toEqual(['lost']);
    });

    test('because the object is missing, or no user is signed in, is not retried', async () => {
      const [missing, signedOut] = [subscribeToCharges(), subscribeToCharges()];
      missing.server().next({ data: { chargeUpdated: null } });
      missing.server().complete();
      signedOut.server().error({ code: 4401 });
      await vi.advanceTimersByTimeAsync(60_000);
      expect([missing.received, signedOut.received]).toEqual([['null', 'complete'], ['error']]);
      expect([missing.attempts.length, signedOut.attempts.length]).toEqual([1, 1]);
    });

    test('after unsubscribing is not retried, and not reported as lost', async () => {
      const { received, attempts, server, unsubscribe } = subscribeToCharges();
      server().error([]);
      unsubscribe();
      server().complete();
      await vi.advanceTimersByTimeAsync(60_000);
      expect([received, attempts.length]).toEqual([['lost', 'open'], 1]);
    });
  });

  test('are restored when the connection and every stream are restored', () => {
    const received: string[] = [];
    const live = createLiveState((connection) => received.push(connection));
    live.markLost('socket');
    live.markLost('stream');
    live.markRestored('socket');
    live.markRestored('another stream');
    expect(received).not.toContain('open');
    live.markRestored('stream');
    expect(received.at(-1)).toBe('open');
  });

  describe('a page with relevant changes', () => {
    function page() {
      let reloads = 0;
      let change = (_id: number): void => {};
      const changes = {
        subscribe: (onResult: (result: { data?: number }) => void) => {
          change = (data) => onResult({ data });
          return { unsubscribe: () => {} };
        },
      };
      followChanges(changes, { isRelevant: (id) => id === 1, onChange: () => reloads++ });
      return { change: (id: number) => change(id), countReloads: () => reloads };
    }

    test('reloads after a relevant change among others', async () => {
      const { change, countReloads } = page();
      for (const id of [2, 1, 2]) change(id);
      await vi.advanceTimersByTimeAsync(0);
      expect(countReloads()).toBe(1);
      change(2);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(countReloads()).toBe(1);
    });

    test('reloads once for many changes, including the last one', async () => {
      const { change, countReloads } = page();
      change(1);
      await vi.advanceTimersByTimeAsync(0);
      for (let i = 0; i < 20; i++) change(1);
      expect(countReloads()).toBe(1);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(countReloads()).toBe(2);
    });
  });
});

describe('sessionExchange', () => {
  beforeEach(() => setPageViewer(undefined));

  test('sends the viewer of the page with each request except the gate query', async () => {
    const { state, viewers, send } = openTab();
    await send(viewerQuery, gateContext);
    await send(chargesQuery);
    await send(viewerQuery, gateContext);
    expect(viewers).toEqual([null, 'usr_1', null]);
    expect(state.signOuts).toBe(0);
  });

  test('signs out when another tab has signed in another user', async () => {
    const { state, send } = openTab();
    await send(viewerQuery, gateContext);
    state.signedIn = 'usr_2';
    await send(chargesQuery);
    expect(state.signOuts).toBe(1);
    await send(viewerQuery, gateContext);
    expect(state.signOuts).toBe(2);
  });

  test('signs out without a viewer, except for the gate query', async () => {
    const { state, send } = openTab();
    state.signedIn = null;
    await send(viewerQuery, gateContext);
    expect(state.signOuts).toBe(0);
    await send(viewerQuery);
    expect(state.signOuts).toBe(1);
  });
});

describe('an idempotency key', () => {
  test('is reused for a refund whose response was lost, and new after a response', async () => {
    const { keys, state, send } = createTestClient();
    state.isLost = true;
    await send(refund, { amount: '10.00' });
    await send(refund, { amount: '10.00' });
    await send(refund, { amount: '11.00' });
    state.isLost = false;
    await send(refund, { amount: '10.00' });
    await send(refund, { amount: '10.00' });
    const [first, second, other, third, next] = keys;
    expect([second, third]).toEqual([first, first]);
    expect(new Set([first, other, next]).size).toBe(3);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
  });

  test('is reused for a skipped payment whose response was lost, so that only one payment is skipped', async () => {
    const { keys, state, send } = createTestClient();
    state.isLost = true;
    await send(skip, { id: 'sub_1' });
    await send(skip, { id: 'sub_1' });
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  test('is reused while the first request is in progress', async () => {
    const { keys, state, send } = createTestClient();
    state.response = { createRefund: { __typename: 'ConflictError', code: 'idempotency_in_progress' } };
    await send(refund, { amount: '10.00' });
    await send(refund, { amount: '10.00' });
    expect(keys[1]).toBe(keys[0]);
  });

  test('is new after any other mutation, and missing for mutations that are safe to repeat', async () => {
    const { keys, state, send } = createTestClient();
    state.isLost = true;
    await send(refund, { amount: '10.00' });
    state.isLost = false;
    state.response = { updateViewer: { __typename: 'UpdateViewerSuccess' } };
    await send(rename, { name: 'Mei' });
    await send(refund, { amount: '10.00' });
    expect(keys[1]).toBeNull();
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('GraphQL documents', () => {
  test('have the types that `npm run schema` writes', () => {
    expect(readFileSync(dashboardTypesFile, 'utf8')).toBe(renderDashboardTypes(schema));
  });

  test('are valid, and use every fragment', async () => {
    const files = (await readdir(dashboard, { recursive: true })).filter((name) => /\.tsx?$/.test(name));
    const documents = files.flatMap((name) => {
      const source = readFileSync(dashboard + name, 'utf8');
      return [...source.matchAll(/graphql\(\s*`([^`]+)`/g)].map((match) => match[1] as string);
    });
    const document = parse(documents.join('\n'));
    expect(document.definitions.length).toBeGreaterThan(10);
    expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
  });
});
