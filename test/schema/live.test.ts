import { describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, subscribeOverSse, subscribeOverWebSocket } from '../setup/graphql.ts';
import { followCharge, setupLiveApp } from '../setup/live-app.ts';
import { seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const { app, otherProcess, clock, newCharge, complete } = await setupLiveApp(onCleanup);
const sandbox = () => app.merchant.keys.sandbox;
const pay = (charge: Charge, minor: bigint) =>
  payCharge(otherProcess, app.merchant, charge, { minor, now: clock.now() });

describe.each([
  ['a WebSocket', subscribeOverWebSocket],
  ['server-sent events', subscribeOverSse],
])('over %s', (_, open) => {
  const follow = (id: string, as: ApiAuth) => open(onCleanup, app.url, as, followCharge, { id });

  test('a charge is told at once, and after each transfer that another process records', async () => {
    const charge = await newCharge('parts@example.com', 'live');
    const stream = follow(charge.id, app.merchant.keys.live);
    expect(await stream.next()).toMatchObject({
      data: { chargeUpdated: { id: charge.id, status: 'pending', amountReceived: '0.00', transfers: [] } },
    });
    await pay(charge, 10_000n);
    expect(await stream.next()).toMatchObject({
      data: {
        chargeUpdated: { status: 'pending', amountReceived: '100.00', transfers: [{ amount: '100.00' }] },
      },
    });
    await pay(charge, 2_850n);
    expect(await stream.next()).toMatchObject({
      data: { chargeUpdated: { status: 'completed', amountReceived: '128.50' } },
    });
    await stream.close();
  });

  test('a sandbox charge that another process completes is told', async () => {
    const charge = await newCharge('hand@example.com');
    const stream = follow(charge.id, sandbox());
    expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'pending' } } });
    await complete(charge);
    expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'completed' } } });
    await stream.close();
  });

  test('a missing or foreign charge is null, and the end', async () => {
    const charge = await newCharge('foreign@example.com');
    for (const [id, as] of [
      ['ch_missing', sandbox()],
      [charge.id, app.merchant.keys.live],
      [charge.id, app.otherMerchant.keys.sandbox],
    ] as const) {
      const stream = follow(id, as);
      expect(await stream.next()).toEqual({ data: { chargeUpdated: null } });
      expect(await stream.next()).toBe('the end');
    }
  });

  test('a client token follows its own charge only', async () => {
    const [mine, other] = [await newCharge('mine@example.com'), await newCharge('other@example.com')];
    const as = { token: createClientToken(app.context.service.secrets, mine) };
    const query = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
    const stream = open(onCleanup, app.url, as, query, { id: mine.id });
    expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'pending' } } });
    await complete(mine);
    expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'completed' } } });
    await stream.close();
    expect(await open(onCleanup, app.url, as, query, { id: other.id }).next()).toEqual({
      data: { chargeUpdated: null },
    });
    const all = open(onCleanup, app.url, as, 'subscription { chargesUpdated { id } }');
    await expect(all.next().catch((errors: unknown) => ({ errors }))).resolves.toMatchObject({
      errors: [{ extensions: { code: 'permission_denied' } }],
    });
  });

  test('nothing is left behind when the client goes', async () => {
    const charge = await newCharge('gone@example.com');
    const { open: count, restore } = countListeners(charge.id);
    const stream = follow(charge.id, sandbox());
    await stream.next();
    expect(count()).toBe(1);
    await stream.close();
    await expect.poll(count).toBe(0);
    restore();
  });
});

describe('chargesUpdated', () => {
  const follow = () =>
    subscribeOverWebSocket(onCleanup, app.url, sandbox(), 'subscription { chargesUpdated { id status } }');

  test('tells the newest charge at once, then each that is made or changes, and no other merchant’s', async () => {
    const newest = await newCharge('newest@example.com');
    const stream = follow();
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: newest.id, status: 'pending' } } });
    await seedCharge(otherProcess, app.otherMerchant, { mode: 'sandbox', now: clock.now() });
    await seedCharge(otherProcess, app.merchant, { mode: 'live', now: clock.now() });
    const next = await newCharge('next@example.com');
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: next.id, status: 'pending' } } });
    await complete(newest);
    expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: newest.id, status: 'completed' } } });
    await stream.close();
  });
});

describe('sessionUpdated', () => {
  test('tells a session at once and when the customer opens it', async () => {
    const session = await seedSession(otherProcess, app.merchant, { mode: 'sandbox', now: clock.now() });
    const as = { token: createClientToken(app.context.service.secrets, session) };
    const query = 'subscription ($id: ID!) { sessionUpdated(id: $id) { id status charge { id } } }';
    const stream = subscribeOverWebSocket(onCleanup, app.url, as, query, { id: session.id });
    expect(await stream.next()).toEqual({
      data: { sessionUpdated: { id: session.id, status: 'created', charge: null } },
    });
    await claimSession(otherProcess, {
      id: session.id,
      browserToken: 'b',
      takeOver: false,
      now: clock.now(),
    });
    expect(await stream.next()).toMatchObject({ data: { sessionUpdated: { status: 'initiated' } } });
    await stream.close();
    const foreign = subscribeOverWebSocket(onCleanup, app.url, app.otherMerchant.keys.sandbox, query, {
      id: session.id,
    });
    expect(await foreign.next()).toEqual({ data: { sessionUpdated: null } });
  });
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
