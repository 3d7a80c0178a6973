import { describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { makeSession } from '../setup/checkout.ts';
import { type As, overSocket, overSse } from '../setup/graphql.ts';
import { followCharge, liveApp } from '../setup/live-app.ts';
import { makeCharge } from '../setup/makers.ts';
import { payCharge } from '../setup/transfers.ts';

const { app, elsewhere, clock, chargeOf, complete } = await liveApp();
const sandbox = () => app.merchant.keys.sandbox;
const pay = (charge: Charge, minor: bigint) =>
  payCharge(elsewhere, app.merchant, charge, { minor, now: clock.now() });

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
    const as = { token: createClientToken(app.context.service.secrets, mine) };
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
    const session = await makeSession(elsewhere, app.merchant, { mode: 'sandbox', now: clock.now() });
    const as = { token: createClientToken(app.context.service.secrets, session) };
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
