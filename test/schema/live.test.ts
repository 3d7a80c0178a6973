import { describe, expect, onTestFinished } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { buildApp } from '../../src/app.ts';
import { setLanguage, setReminders } from '../../src/domain/billing/subscription/set-preferences.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/review/unassign-transfer.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { readCheckoutCharge } from '../../src/domain/payments/checkout/get-checkout-charge.ts';
import { replaceCharge } from '../../src/domain/payments/checkout/replace-charge.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { chargeSession } from '../../src/domain/payments/session/charge-session.ts';
import { claimSession } from '../../src/domain/payments/session/claim-session.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { createHub } from '../../src/live/hub.ts';
import { seedSession } from '../setup/checkout.ts';
import { fileTest } from '../setup/fixtures.ts';
import {
  type ApiAuth,
  type EventStream,
  subscribeOverSse,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { type LiveApp, setupLiveApp } from '../setup/live-app.ts';
import { payeeAccount } from '../setup/payouts.ts';
import { seedCharge } from '../setup/seed.ts';
import { seedActiveSubscription } from '../setup/subscriptions.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

/** The GraphQL subscription to a charge. */
const followCharge = `subscription ($id: ID!) { chargeUpdated(id: $id) { id status amountReceived customer { id } transfers { amount } } }`;

const test = fileTest.extend('app', { scope: 'file' }, ({ onFileCleanup }) => setupLiveApp(onFileCleanup));

const getSandboxKeys = (app: LiveApp) => app.merchant.keys.sandbox;

const pay = (app: LiveApp, charge: Charge, minor: bigint) =>
  payCharge(app.otherProcess, app.merchant, charge, { minor, now: app.clock.now() });

/** Counts the listeners of a topic of the hub. */
function countListeners(app: LiveApp, topic: string) {
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

const toOwner = ({ merchant }: LiveApp) => ({ merchantId: merchant.merchant.id, mode: 'live' }) as const;

/** A transfer of the amount without the payment reference, a second later than all others, so that it is the newest. */
function recordUnmatchedTransfer(app: LiveApp, { receivingAccountId, customerAmount: minor }: Charge) {
  app.clock.advance(1_000);
  const input = transferInput({ money: { minor, currency: 'HKD' }, paidAt: app.clock.now() });
  return recordOne(app.otherProcess, app.merchant, { receivingAccountId, input, now: app.clock.now() });
}

function assign(app: LiveApp, charge: Charge, transferId: string, service = app.otherProcess) {
  const now = app.clock.now();
  const assignment = { transferId, parts: [{ chargeId: charge.id }] };
  const audit = { actor: 'user:test', now };
  return assignTransfer(service, {
    ...toOwner(app),
    merchant: app.merchant.merchant,
    assignment,
    audit,
    now,
  });
}

function unassign(app: LiveApp, charge: Charge, transferId: string, service = app.otherProcess) {
  const now = app.clock.now();
  const input = { transferId, chargeId: charge.id };
  return unassignTransfer(service, { ...toOwner(app), input, audit: { actor: 'user:test', now }, now });
}

/** A partial refund that was paid. */
async function seedCompletedRefund(app: LiveApp, charge: Charge) {
  const change = { ...toOwner(app), actor: 'user:test', now: app.clock.now() };
  await payCharge(app.otherProcess, app.merchant, charge, { now: app.clock.now() });
  const { refund } = await createRefund(app.otherProcess, {
    ...change,
    input: { chargeId: charge.id, customerAmount: 20.5 },
  });
  await submitRefundDetails(app.otherProcess, { ...change, id: refund.id, details: payeeAccount });
  await completeRefund(app.otherProcess, { ...change, id: refund.id });
  return refund;
}

/** Advances the clock, so that later events have a later time. */
async function advanceClock(app: LiveApp): Promise<void> {
  app.clock.advance(600_000);
  await relayEvents(app.otherProcess, { now: app.clock.now() });
}

describe('Live updates', () => {
  describe.each([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ])('over %s', (_, open) => {
    const follow = (app: LiveApp, id: string, as: ApiAuth) =>
      open(onTestFinished, app.url, as, followCharge, { id });

    test('a charge is sent immediately, and after each transfer that another process records', async ({
      app,
    }) => {
      const charge = await app.newCharge('parts@example.com', 'live');
      const stream = follow(app, charge.id, app.merchant.keys.live);
      expect(await stream.next()).toMatchObject({
        data: {
          chargeUpdated: { id: charge.id, status: 'pending', amountReceived: '0.00', transfers: [] },
        },
      });
      await pay(app, charge, 10_000n);
      expect(await stream.next()).toMatchObject({
        data: {
          chargeUpdated: { status: 'pending', amountReceived: '100.00', transfers: [{ amount: '100.00' }] },
        },
      });
      await pay(app, charge, 2_850n);
      expect(await stream.next()).toMatchObject({
        data: { chargeUpdated: { status: 'completed', amountReceived: '128.50' } },
      });
      await stream.close();
    });

    test('a sandbox charge that another process completes is sent', async ({ app }) => {
      const charge = await app.newCharge('hand@example.com');
      const stream = follow(app, charge.id, getSandboxKeys(app));
      expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'pending' } } });
      await app.complete(charge);
      expect(await stream.next()).toMatchObject({ data: { chargeUpdated: { status: 'completed' } } });
      await stream.close();
    });

    test('a missing or foreign charge is null, and the stream ends', async ({ app }) => {
      const charge = await app.newCharge('foreign@example.com');
      for (const [id, as] of [
        ['ch_missing', getSandboxKeys(app)],
        [charge.id, app.merchant.keys.live],
        [charge.id, app.otherMerchant.keys.sandbox],
      ] as const) {
        const stream = follow(app, id, as);
        expect(await stream.next()).toEqual({ data: { chargeUpdated: null } });
        expect(await stream.next()).toBe('the end');
      }
    });

    test('a client token follows its own charge only', async ({ app }) => {
      const [ownCharge, other] = [
        await app.newCharge('mine@example.com'),
        await app.newCharge('other@example.com'),
      ];
      const as = { token: createClientToken(app.context.service.secrets, ownCharge) };
      const query = 'subscription ($id: ID!) { chargeUpdated(id: $id) { status } }';
      const stream = open(onTestFinished, app.url, as, query, { id: ownCharge.id });
      expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'pending' } } });
      await app.complete(ownCharge);
      expect(await stream.next()).toEqual({ data: { chargeUpdated: { status: 'completed' } } });
      await stream.close();
      expect(await open(onTestFinished, app.url, as, query, { id: other.id }).next()).toEqual({
        data: { chargeUpdated: null },
      });
      const all = open(onTestFinished, app.url, as, 'subscription { chargesUpdated { id } }');
      await expect(all.next().catch((errors: unknown) => ({ errors }))).resolves.toMatchObject({
        errors: [{ extensions: { code: 'permission_denied' } }],
      });
    });

    test('the listener is removed when the client disconnects', async ({ app }) => {
      const charge = await app.newCharge('gone@example.com');
      const { open: count, restore } = countListeners(app, charge.id);
      const stream = follow(app, charge.id, getSandboxKeys(app));
      await stream.next();
      expect(count()).toBe(1);
      await stream.close();
      await expect.poll(count).toBe(0);
      restore();
    });
  });

  describe('chargesUpdated', () => {
    const follow = (app: LiveApp) =>
      subscribeOverWebSocket(
        onTestFinished,
        app.url,
        getSandboxKeys(app),
        'subscription { chargesUpdated { id status } }',
      );

    test('sends the newest charge immediately, then each that is created or changes, and none of another merchant', async ({
      app,
    }) => {
      const newest = await app.newCharge('newest@example.com');
      const stream = follow(app);
      expect(await stream.next()).toEqual({
        data: { chargesUpdated: { id: newest.id, status: 'pending' } },
      });
      await seedCharge(app.otherProcess, app.otherMerchant, { mode: 'sandbox', now: app.clock.now() });
      await seedCharge(app.otherProcess, app.merchant, { mode: 'live', now: app.clock.now() });
      const next = await app.newCharge('next@example.com');
      expect(await stream.next()).toEqual({ data: { chargesUpdated: { id: next.id, status: 'pending' } } });
      await app.complete(newest);
      expect(await stream.next()).toEqual({
        data: { chargesUpdated: { id: newest.id, status: 'completed' } },
      });
      await stream.close();
    });
  });

  describe('sessionUpdated', () => {
    test('sends a session immediately and when the customer opens it', async ({ app }) => {
      const session = await seedSession(app.otherProcess, app.merchant, {
        mode: 'sandbox',
        now: app.clock.now(),
      });
      const as = { token: createClientToken(app.context.service.secrets, session) };
      const query = 'subscription ($id: ID!) { sessionUpdated(id: $id) { id status charge { id } } }';
      const stream = subscribeOverWebSocket(onTestFinished, app.url, as, query, { id: session.id });
      expect(await stream.next()).toEqual({
        data: { sessionUpdated: { id: session.id, status: 'created', charge: null } },
      });
      await claimSession(app.otherProcess, {
        id: session.id,
        browserToken: 'b',
        canTakeOver: false,
        now: app.clock.now(),
      });
      expect(await stream.next()).toMatchObject({ data: { sessionUpdated: { status: 'initiated' } } });
      await stream.close();
      const foreign = subscribeOverWebSocket(onTestFinished, app.url, app.otherMerchant.keys.sandbox, query, {
        id: session.id,
      });
      expect(await foreign.next()).toEqual({ data: { sessionUpdated: null } });
    });

    test('sends the new charge when the customer chooses another method', async ({ app }) => {
      const service = app.otherProcess;
      const { merchant } = app.merchant;
      const session = await seedSession(service, app.merchant, {
        input: { amount: 128.5, currency: 'HKD' },
        now: app.clock.now(),
      });
      const browser = { browserToken: 'b', canTakeOver: false, now: app.clock.now() };
      await claimSession(service, { id: session.id, ...browser });
      const customer = { email: 'changes@example.com' };
      const payment = { ...browser, merchant, session, method: 'fps', customer } as const;
      const first = await chargeSession(service, payment);
      const query = `subscription { sessionUpdated(id: "${session.id}") { charge { id } } }`;
      const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, query);
      expect(await stream.next()).toEqual({ data: { sessionUpdated: { charge: { id: first.id } } } });
      app.clock.advance(1_000);
      const charge = (await readCheckoutCharge(service, { id: first.id, mode: 'live' }))!;
      const change = { merchant, charge, visitor: { ipAddress: '192.0.2.1' }, now: app.clock.now() };
      const second = await replaceCharge(service, { ...change, method: 'hk-bank-transfer' });
      expect(await stream.next()).toEqual({ data: { sessionUpdated: { charge: { id: second.id } } } });
      await stream.close();
    });
  });
});

describe('Interruptions', () => {
  describe('when the connection of the listener is cut', () => {
    const expectNext = async (stream: EventStream, value: object) =>
      expect(await stream.next()).toMatchObject(value);

    test('a change that was not announced is sent after the reconnection', async ({ app }) => {
      const charge = await app.newCharge('cut@example.com');
      await relayEvents(app.otherProcess, { now: app.clock.now() });
      const stream = subscribeOverWebSocket(onTestFinished, app.url, getSandboxKeys(app), followCharge, {
        id: charge.id,
      });
      const all = subscribeOverSse(
        onTestFinished,
        app.url,
        getSandboxKeys(app),
        'subscription { chargesUpdated { id status } }',
      );
      await expectNext(stream, { data: { chargeUpdated: { status: 'pending' } } });
      await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
      await app.complete(charge, app.silentProcess);
      await app.cutListener();
      await expectNext(stream, { data: { chargeUpdated: { status: 'completed' } } });
      await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
      // The streams still receive changes.
      const next = await app.newCharge('after@example.com');
      await expectNext(all, { data: { chargesUpdated: { id: next.id, status: 'pending' } } });
      await Promise.all([stream.close(), all.close()]);
    });

    test('a change is sent although the relay has numbered its event since', async ({ app }) => {
      const charge = await app.newCharge('numbered@example.com');
      await relayEvents(app.otherProcess, { now: app.clock.now() });
      const all = subscribeOverWebSocket(
        onTestFinished,
        app.url,
        getSandboxKeys(app),
        'subscription { chargesUpdated { id status } }',
      );
      await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'pending' } } });
      await app.complete(charge, app.silentProcess);
      await relayEvents(app.silentProcess, { now: app.clock.now() });
      await app.cutListener();
      await expectNext(all, { data: { chargesUpdated: { id: charge.id, status: 'completed' } } });
      await all.close();
    });
  });

  test('streams are cut when the application stops, and none is completed', async ({ app }) => {
    const context = { ...app.context, hub: createHub() };
    const second = await buildApp(context);
    const url = await second.listen({ port: 0, host: '127.0.0.1' });
    const charge = await app.newCharge('closing@example.com');
    const streams = [subscribeOverWebSocket, subscribeOverSse].map((open) =>
      open(onTestFinished, url, getSandboxKeys(app), followCharge, { id: charge.id }),
    );
    for (const stream of streams) await stream.next();
    const ends = streams.map((stream) => stream.next().catch(() => 'cut'));
    await second.close();
    expect(await Promise.all(ends)).toEqual(['cut', 'cut']);
  });
});

describe('Changes without events', () => {
  test.afterEach(({ app }) => expectInvariants(app.otherProcess));

  describe.each([
    ['a WebSocket', subscribeOverWebSocket],
    ['server-sent events', subscribeOverSse],
  ])('over %s', (name, open) => {
    test('assigning a transfer to a charge and unassigning it are sent', async ({ app }) => {
      const charge = await app.newCharge(`${name.replaceAll(' ', '-')}@example.com`, 'live');
      const shown = '{ id status amountReceived paymentState }';
      const stream = open(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        `subscription { chargeUpdated(id: "${charge.id}") ${shown} }`,
      );
      const all = open(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        `subscription { chargesUpdated ${shown} }`,
      );
      const expectBoth = async (update: object) => {
        expect(await stream.next()).toMatchObject({ data: { chargeUpdated: update } });
        expect(await all.next()).toMatchObject({ data: { chargesUpdated: { id: charge.id, ...update } } });
      };
      await expectBoth({ status: 'pending', amountReceived: '0.00' });
      const { transferId } = await recordUnmatchedTransfer(app, charge);
      await assign(app, charge, transferId);
      await expectBoth({ status: 'completed', amountReceived: '128.50', paymentState: 'exact' });
      await unassign(app, charge, transferId);
      await expectBoth({ status: 'completed', amountReceived: '0.00', paymentState: 'none' });
      // Each change is sent once.
      await assign(app, charge, transferId);
      await expectBoth({ status: 'completed', amountReceived: '128.50' });
      await Promise.all([stream.close(), all.close()]);
    });

    test('the erasure of a customer is sent to subscribers of their objects', async ({ app }) => {
      const email = `erased-${name.replaceAll(' ', '-')}@example.com`;
      const charge = await app.newCharge(email, 'live');
      const refund = await seedCompletedRefund(app, charge);
      const now = app.clock.now();
      const subscription = await seedActiveSubscription(app.otherProcess, app.merchant, { email, now });
      const session = await seedSession(app.otherProcess, app.merchant, {
        input: { customer: { email } },
        now,
      });
      const streams = [
        `chargeUpdated(id: "${charge.id}") { shown: email }`,
        `refundUpdated(id: "${refund.id}") { shown: payoutDetails { accountName } }`,
        `sessionUpdated(id: "${session.id}") { shown: customer { email } }`,
        `subscriptionUpdated(id: "${subscription.id}") { shown: email }`,
      ].map((field) =>
        open(onTestFinished, app.url, app.merchant.keys.live, `subscription { updated: ${field} }`),
      );
      const shown = () =>
        Promise.all(streams.map(async (stream) => (await stream.next()).data.updated.shown));
      expect(await shown()).toEqual([email, { accountName: payeeAccount.holder }, { email }, email]);
      await eraseCustomer(app.otherProcess, { id: charge.customerId, now });
      expect(await shown()).toEqual([null, null, null, null]);
      await Promise.all(streams.map((stream) => stream.close()));
    });

    test('the settings a customer changes on the page of the subscription are sent', async ({ app }) => {
      const { id } = await seedActiveSubscription(app.otherProcess, app.merchant, { now: app.clock.now() });
      const query = `subscription { subscriptionUpdated(id: "${id}") { locale hasOptedOutOfReminders } }`;
      const stream = open(onTestFinished, app.url, app.merchant.keys.live, query);
      const nextUpdate = async () => (await stream.next()).data.subscriptionUpdated;
      expect(await nextUpdate()).toEqual({ locale: 'en', hasOptedOutOfReminders: false });
      await setReminders(app.otherProcess, { id, areDisabled: true, now: app.clock.now() });
      expect(await nextUpdate()).toEqual({ locale: 'en', hasOptedOutOfReminders: true });
      await setLanguage(app.otherProcess, { id, language: 'th', now: app.clock.now() });
      expect(await nextUpdate()).toEqual({ locale: 'th', hasOptedOutOfReminders: true });
      await stream.close();
    });
  });

  describe('when the listener reconnects', () => {
    test('objects that were sent before are read again', async ({ app }) => {
      app.clock.advance(1_000);
      const { id } = await seedActiveSubscription(app.otherProcess, app.merchant, { now: app.clock.now() });
      await advanceClock(app);
      const stream = subscribeOverWebSocket(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        'subscription { subscriptionsUpdated { id hasOptedOutOfReminders } }',
      );
      expect(await stream.next()).toEqual({
        data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: false } },
      });
      await setReminders(app.silentProcess, { id, areDisabled: true, now: app.clock.now() });
      await app.cutListener();
      expect(await stream.next()).toEqual({
        data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: true } },
      });
      await stream.close();
    });

    test('an older transfer that was assigned, and the charge of an unassigned one, are sent too', async ({
      app,
    }) => {
      const [paid, open] = [
        await app.newCharge('paid@example.com', 'live'),
        await app.newCharge('open@example.com', 'live'),
      ];
      const wrong = await recordUnmatchedTransfer(app, paid);
      await assign(app, paid, wrong.transferId);
      const older = await recordUnmatchedTransfer(app, open);
      const newest = {
        transfer: await recordUnmatchedTransfer(app, open),
        charge: await app.newCharge('newest@example.com', 'live'),
      };
      await advanceClock(app);
      const transfers = subscribeOverWebSocket(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        'subscription { transfersUpdated { id status } }',
      );
      const charges = subscribeOverSse(
        onTestFinished,
        app.url,
        app.merchant.keys.live,
        'subscription { chargesUpdated { id amountReceived } }',
      );
      const nextUpdate = async () => (await transfers.next()).data.transfersUpdated;
      expect(await nextUpdate()).toEqual({ id: newest.transfer.transferId, status: 'exception' });
      expect(await charges.next()).toMatchObject({ data: { chargesUpdated: { id: newest.charge.id } } });
      await unassign(app, paid, wrong.transferId, app.silentProcess);
      await assign(app, open, older.transferId, app.silentProcess);
      await app.cutListener();
      expect([await nextUpdate(), await nextUpdate()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
        { id: wrong.transferId, status: 'exception' },
        { id: older.transferId, status: 'matched' },
      ]);
      expect(await charges.next()).toEqual({
        data: { chargesUpdated: { id: paid.id, amountReceived: '0.00' } },
      });
      expect(await charges.next()).toEqual({
        data: { chargesUpdated: { id: open.id, amountReceived: '128.50' } },
      });
      await Promise.all([transfers.close(), charges.close()]);
    });
  });
});
