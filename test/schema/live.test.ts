import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { buildApp } from '../../src/app.ts';
import { completeSandboxCharge } from '../../src/domain/charge/complete-sandbox-charge.ts';
import { clientToken } from '../../src/domain/checkout/page-tokens.ts';
import type { Service } from '../../src/domain/service.ts';
import { claimSession } from '../../src/domain/session/claim-session.ts';
import { createSession } from '../../src/domain/session/create-session.ts';
import { recordTransfers } from '../../src/domain/transfer/record-transfers.ts';
import { startAnnouncer } from '../../src/event/announcer.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { createHub } from '../../src/live/hub.ts';
import { testClock } from '../setup/app.ts';
import {
  type As,
  type GraphqlApp,
  graphqlApp,
  overSocket,
  overSse,
  type Stream,
  socketClient,
} from '../setup/graphql.ts';
import { makeCharge, minutesAfter } from '../setup/makers.ts';

const clock = testClock(new Date());
let app: GraphqlApp;
/** Another process on the same database: nothing but PostgreSQL connects the two. */
let elsewhere: Service;
/** A process that dies after each commit, before it can tell anybody. */
let dying: Service;

beforeAll(async () => {
  app = await graphqlApp({ clock });
  const { connectionString } = app;
  const onError = (error: Error) => console.error(error);
  const db = openDb({ connectionString, poolSize: 4, onError });
  const announcer = startAnnouncer(connectionString, onError);
  elsewhere = { ...app.context.service, ...db, announce: announcer.announce };
  dying = { ...elsewhere, announce: () => {} };
  afterAll(async () => {
    await announcer.stop();
    await closeDb(db);
  });
});

const sandbox = () => app.merchant.keys.sandbox;
/** Each a second after the one before, so that it is the newest. */
const chargeOf = (email: string, mode: 'live' | 'sandbox' = 'sandbox') => {
  clock.set(new Date(clock.now().getTime() + 1_000));
  return makeCharge(elsewhere, app.merchant, { mode, input: { email }, now: clock.now() });
};
const complete = (charge: { id: string }, service = elsewhere) =>
  completeSandboxCharge(service, {
    merchantId: app.merchant.merchant.id,
    mode: 'sandbox',
    id: charge.id,
    actor: 'user:test',
    now: clock.now(),
  });
const pay = (charge: { nonce: string; receivingAccountId: string }, amount: number) =>
  recordTransfers(elsewhere, {
    merchant: app.merchant.merchant,
    mode: 'live',
    actor: 'bank',
    now: clock.now(),
    items: [
      {
        id: `${charge.nonce}-${amount}`,
        receivingAccountId: charge.receivingAccountId,
        amount,
        currency: 'HKD',
        reference: charge.nonce,
        paidAt: clock.now().toISOString(),
      },
    ],
  });

const followCharge = `subscription ($id: ID!) { chargeUpdated(id: $id) { id status amountReceived customer { id } transfers { amount } } }`;

describe.each([
  ['a WebSocket', overSocket],
  ['server-sent events', overSse],
])('over %s', (_, open) => {
  const follow = (id: string, as: As) => open(app.url, as, followCharge, { id });

  test('a charge is told at once, and after each transfer that another process records', async () => {
    const charge = await chargeOf('parts@example.com', 'live');
    const stream = follow(charge.id, app.merchant.keys.live);
    expect(await stream.next()).toMatchObject({
      data: { chargeUpdated: { id: charge.id, status: 'pending', amountReceived: '0.00', transfers: [] } },
    });
    await pay(charge, 100);
    expect(await stream.next()).toMatchObject({
      data: {
        chargeUpdated: { status: 'pending', amountReceived: '100.00', transfers: [{ amount: '100.00' }] },
      },
    });
    await pay(charge, 28.5);
    expect(await stream.next()).toMatchObject({
      data: { chargeUpdated: { status: 'completed', amountReceived: '128.50' } },
    });
    await stream.end();
  });

  test('a sandbox charge that another process completes is told', async () => {
    const charge = await chargeOf('hand@example.com');
    const stream = follow(charge.id, sandbox());
    expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'pending' } } });
    await complete(charge);
    expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'completed' } } });
    await stream.end();
  });

  test('a missing or foreign charge is null, and the end', async () => {
    const charge = await chargeOf('foreign@example.com');
    for (const [id, as] of [
      ['ch_missing', sandbox()],
      [charge.id, app.merchant.keys.live],
      [charge.id, app.stranger.keys.sandbox],
    ] as const) {
      const stream = follow(id, as);
      expect(await stream.next()).toEqual({ data: { chargeUpdated: null } });
      expect(await stream.next()).toBe('the end');
    }
  });

  test('a client token follows its own charge only', async () => {
    const [mine, other] = [await chargeOf('mine@example.com'), await chargeOf('other@example.com')];
    const as = { token: clientToken(app.context.service.secrets, mine.id) };
    const query = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
    const stream = open(app.url, as, query, { id: mine.id });
    expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'pending' } } });
    await complete(mine);
    expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'completed' } } });
    await stream.end();
    expect(await open(app.url, as, query, { id: other.id }).next()).toEqual({
      data: { chargeUpdated: null },
    });
    const all = open(app.url, as, 'subscription { chargesUpdated { id } }');
    await expect(all.next().catch((errors: unknown) => ({ errors }))).resolves.toMatchObject({
      errors: [{ extensions: { code: 'permission_denied' } }],
    });
  });

  test('nothing is left behind when the client goes', async () => {
    const charge = await chargeOf('gone@example.com');
    const { open: count, restore } = countListeners(charge.id);
    const stream = follow(charge.id, sandbox());
    await stream.next();
    expect(count()).toBe(1);
    await stream.end();
    await expect.poll(count).toBe(0);
    restore();
  });
});

describe('chargesUpdated', () => {
  const follow = () => overSocket(app.url, sandbox(), 'subscription { chargesUpdated { id status } }');

  test('tells the newest charge at once, then each that is made or changes, and no other merchant’s', async () => {
    const newest = await chargeOf('newest@example.com');
    const stream = follow();
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: newest.id, status: 'pending' } } });
    await makeCharge(elsewhere, app.stranger, { mode: 'sandbox', now: clock.now() });
    await makeCharge(elsewhere, app.merchant, { mode: 'live', now: clock.now() });
    const next = await chargeOf('next@example.com');
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: next.id, status: 'pending' } } });
    await complete(newest);
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: newest.id, status: 'completed' } } });
    await stream.end();
  });
});

describe('sessionUpdated', () => {
  test('tells a session at once and when the customer opens it', async () => {
    const session = await createSession(elsewhere, {
      merchant: app.merchant.merchant,
      mode: 'sandbox',
      actor: 'key:test',
      input: { amount: '5', currency: 'HKD' },
      now: clock.now(),
    });
    const as = { token: clientToken(app.context.service.secrets, session.id) };
    const query = 'subscription ($id: ID!) { sessionUpdated(id: $id) { id status charge { id } } }';
    const stream = overSocket(app.url, as, query, { id: session.id });
    expect(await stream.next()).toEqual({
      data: { sessionUpdated: { id: session.id, status: 'created', charge: null } },
    });
    await claimSession(elsewhere, { id: session.id, browserToken: 'b', takeOver: false, now: clock.now() });
    expect(await stream.next()).toMatchObject({ data: { sessionUpdated: { status: 'initiated' } } });
    await stream.end();
    const foreign = overSocket(app.url, app.stranger.keys.sandbox, query, { id: session.id });
    expect(await foreign.next()).toEqual({ data: { sessionUpdated: null } });
  });
});

describe('when the connection that listens is cut', () => {
  /** Ends the listener's connection as a restart of PostgreSQL would; it comes back by itself. */
  async function cut(): Promise<void> {
    const client = new pg.Client({ connectionString: app.connectionString });
    await client.connect();
    const { rowCount } = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'causeway listen'`,
    );
    expect(rowCount).toBe(1);
    await client.end();
  }

  const expectNext = async (stream: Stream, value: object) =>
    expect(await stream.next()).toMatchObject(value);

  test('a change that nobody was told of is told when it is back', async () => {
    const charge = await chargeOf('cut@example.com');
    await relayEvents(elsewhere, { now: clock.now() });
    const one = overSocket(app.url, sandbox(), followCharge, { id: charge.id });
    const all = overSse(app.url, sandbox(), 'subscription { chargesUpdated { id status } }');
    await expectNext(one, { data: { chargeUpdated: { status: 'pending' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, dying);
    await cut();
    await expectNext(one, { data: { chargeUpdated: { status: 'completed' } } });
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    // And it goes on as before.
    const next = await chargeOf('after@example.com');
    await expectNext(all, { data: { chargesUpdated: { id: next.id, status: 'pending' } } });
    await Promise.all([one.end(), all.end()]);
  });

  test('also when the relay has numbered it meanwhile', async () => {
    const charge = await chargeOf('numbered@example.com');
    await relayEvents(elsewhere, { now: clock.now() });
    const all = overSocket(app.url, sandbox(), 'subscription { chargesUpdated { id status } }');
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
    await complete(charge, dying);
    await relayEvents(dying, { now: clock.now() });
    await cut();
    await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
    await all.end();
  });
});

test('a key that is revoked is told nothing more, a minute later at the latest', async () => {
  const charge = await chargeOf('revoked@example.com');
  const stream = overSse(app.url, sandbox(), followCharge, { id: charge.id });
  await stream.next();
  const { apiKey } = sandbox();
  const revoke = (revokedAt: Date | null) =>
    elsewhere.prisma.apiKey.update({ where: { key: apiKey }, data: { revokedAt } });
  await revoke(clock.now());
  clock.set(minutesAfter(clock.now(), 1));
  await complete(charge);
  expect(await stream.next()).toMatchObject({ errors: [{ extensions: { code: 'unauthenticated' } }] });
  await revoke(null);
  await stream.end();
});

describe('a WebSocket', () => {
  const closeOf = async (params: Record<string, unknown>) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: params }));
    const [code] = await once(socket, 'close');
    return code;
  };

  test('without credentials is closed with 4401, with wrong ones with 4403', async () => {
    expect(await closeOf({})).toBe(4401);
    expect(await closeOf({ authorization: 'Basic bm86Ym9keQ==' })).toBe(4403);
    expect(await closeOf({ authorization: 'Bearer ch_1.x' })).toBe(4403);
    expect(await closeOf({ authorization: 5 })).toBe(4401);
  });

  test('answers queries and mutations too', async () => {
    const client = socketClient(app.url, { authorization: `Bearer x` });
    await expect(client.iterate({ query: '{ me { id } }' }).next()).rejects.toMatchObject({ code: 4403 });
    const stream = overSocket(app.url, sandbox(), '{ me { mode } }');
    expect(await stream.next()).toEqual({ data: { me: { mode: 'sandbox' } } });
    expect(await stream.next()).toBe('the end');
    await stream.end();
  });

  test.each(['{ nope }', '{ me {'])('tells what is wrong with %s', async (query) => {
    const stream = overSocket(app.url, sandbox(), query);
    await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    await stream.end();
  });

  test('is not opened on another path', async () => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/charges`, 'graphql-transport-ws');
    const [error] = await once(socket, 'error');
    expect(error.message).toContain('404');
  });
});

test('streams end when the application does', async () => {
  const context = { ...app.context, hub: createHub() };
  const second = await buildApp(context);
  const url = await second.listen({ port: 0, host: '127.0.0.1' });
  const charge = await chargeOf('closing@example.com');
  const streams = [overSocket, overSse].map((open) => open(url, sandbox(), followCharge, { id: charge.id }));
  for (const stream of streams) await stream.next();
  const ends = streams.map((stream) => stream.next().catch(() => 'cut'));
  await second.close();
  expect(await Promise.all(ends)).toEqual(['the end', 'the end']);
});

/** How many listen to a topic of the hub. */
function countListeners(topic: string) {
  const { hub } = app.context;
  const { subscribe } = hub;
  const open = new Set<symbol>();
  hub.subscribe = (name, listener) => {
    const end = subscribe(name, listener);
    const mark = Symbol(name);
    if (name === topic) open.add(mark);
    return () => {
      open.delete(mark);
      end();
    };
  };
  return {
    open: () => open.size,
    restore: () => {
      hub.subscribe = subscribe;
    },
  };
}
