import { afterEach, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { setLanguage } from '../../src/domain/billing/subscription/set-language.ts';
import { setReminders } from '../../src/domain/billing/subscription/set-reminders.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/assign-transfer.ts';
import { unassignTransfer } from '../../src/domain/money-in/transfer/unassign-transfer.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { completeRefund } from '../../src/domain/payments/refund/complete-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { submitRefundDetails } from '../../src/domain/payments/refund/submit-refund-details.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { subscribeOverSse, subscribeOverWebSocket } from '../setup/graphql.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { setupLiveApp } from '../setup/live-app.ts';
import { payeeAccount } from '../setup/payouts.ts';
import { seedActiveSubscription } from '../setup/subscriptions.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

/** Changes of which the merchant is sent nothing, for they have no event; whoever follows the object is told. */

const { app, otherProcess, clock, newCharge, silentProcess, cutListener } = await setupLiveApp(onCleanup);
const { merchant } = app;
const live = merchant.keys.live;
const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;

afterEach(() => expectInvariants(otherProcess));

/** Of what a charge asks, without its word; a second after whatever was before, so that it is the newest. */
function exceptionFor({ receivingAccountId, customerAmount: minor }: Charge) {
  clock.advance(1_000);
  const input = transferInput({ money: { minor, currency: 'HKD' }, paidAt: clock.now() });
  return recordOne(otherProcess, merchant, { receivingAccountId, input, now: clock.now() });
}

function assign(charge: Charge, transferId: string, service = otherProcess) {
  const now = clock.now();
  const assignment = { transferId, parts: [{ chargeId: charge.id }] };
  const audit = { actor: 'user:test', now };
  return assignTransfer(service, { ...owner, merchant: merchant.merchant, assignment, audit, now });
}

function unassign(charge: Charge, transferId: string, service = otherProcess) {
  const now = clock.now();
  const input = { transferId, chargeId: charge.id };
  return unassignTransfer(service, { ...owner, input, audit: { actor: 'user:test', now }, now });
}

describe.each([
  ['a WebSocket', subscribeOverWebSocket],
  ['server-sent events', subscribeOverSse],
])('over %s', (name, open) => {
  test('money that is taken back from a charge is told, as it was when it came', async () => {
    const charge = await newCharge(`${name.replaceAll(' ', '-')}@example.com`, 'live');
    const shown = '{ id status amountReceived paymentState }';
    const one = open(onCleanup, app.url, live, `subscription { chargeUpdated(id: "${charge.id}") ${shown} }`);
    const all = open(onCleanup, app.url, live, `subscription { chargesUpdated ${shown} }`);
    const expectBoth = async (told: object) => {
      expect(await one.next()).toMatchObject({ data: { chargeUpdated: told } });
      expect(await all.next()).toMatchObject({ data: { chargesUpdated: { id: charge.id, ...told } } });
    };
    await expectBoth({ status: 'pending', amountReceived: '0.00' });
    const { transferId } = await exceptionFor(charge);
    await assign(charge, transferId);
    await expectBoth({ status: 'completed', amountReceived: '128.50', paymentState: 'exact' });
    await unassign(charge, transferId);
    await expectBoth({ status: 'completed', amountReceived: '0.00', paymentState: 'none' });
    // Once: what is told next is the next change.
    await assign(charge, transferId);
    await expectBoth({ status: 'completed', amountReceived: '128.50' });
    await Promise.all([one.close(), all.close()]);
  });

  test('a customer who is erased is told to those who follow what they left', async () => {
    const email = `erased-${name.replaceAll(' ', '-')}@example.com`;
    const charge = await newCharge(email, 'live');
    const refund = await refundOf(charge);
    const now = clock.now();
    const subscription = await seedActiveSubscription(otherProcess, merchant, { email, now });
    const session = await seedSession(otherProcess, merchant, { input: { customer: { email } }, now });
    const streams = [
      `chargeUpdated(id: "${charge.id}") { shown: email }`,
      `refundUpdated(id: "${refund.id}") { shown: payoutDetails { accountName } }`,
      `sessionUpdated(id: "${session.id}") { shown: customer { email } }`,
      `subscriptionUpdated(id: "${subscription.id}") { shown: email }`,
    ].map((field) => open(onCleanup, app.url, live, `subscription { told: ${field} }`));
    const shown = () => Promise.all(streams.map(async (stream) => (await stream.next()).data.told.shown));
    expect(await shown()).toEqual([email, { accountName: payeeAccount.holder }, { email }, email]);
    await eraseCustomer(otherProcess, { id: charge.customerId, now });
    expect(await shown()).toEqual([null, null, null, null]);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  test('what a customer sets on the page of the subscription is told', async () => {
    const { id } = await seedActiveSubscription(otherProcess, merchant, { now: clock.now() });
    const query = `subscription { subscriptionUpdated(id: "${id}") { locale hasOptedOutOfReminders } }`;
    const stream = open(onCleanup, app.url, live, query);
    const told = async () => (await stream.next()).data.subscriptionUpdated;
    expect(await told()).toEqual({ locale: 'en', hasOptedOutOfReminders: false });
    await setReminders(otherProcess, { id, off: true, now: clock.now() });
    expect(await told()).toEqual({ locale: 'en', hasOptedOutOfReminders: true });
    await setLanguage(otherProcess, { id, language: 'th', now: clock.now() });
    expect(await told()).toEqual({ locale: 'th', hasOptedOutOfReminders: true });
    await stream.close();
  });
});

/** Of a part of what was paid; the money has been sent. */
async function refundOf(charge: Charge) {
  const change = { ...owner, actor: 'user:test', now: clock.now() };
  await payCharge(otherProcess, merchant, charge, { now: clock.now() });
  const { refund } = await createRefund(otherProcess, {
    ...change,
    input: { chargeId: charge.id, customerAmount: 20.5 },
  });
  await submitRefundDetails(otherProcess, { ...change, id: refund.id, details: payeeAccount });
  await completeRefund(otherProcess, { ...change, id: refund.id });
  return refund;
}

/** All that was done so far stands in the log long before what follows. */
async function waitLong(): Promise<void> {
  clock.advance(600_000);
  await relayEvents(otherProcess, { now: clock.now() });
}

describe('when the connection that listens was away meanwhile', () => {
  test('what was told before is looked at again', async () => {
    clock.advance(1_000);
    const { id } = await seedActiveSubscription(otherProcess, merchant, { now: clock.now() });
    await waitLong();
    const stream = subscribeOverWebSocket(
      onCleanup,
      app.url,
      live,
      'subscription { subscriptionsUpdated { id hasOptedOutOfReminders } }',
    );
    expect(await stream.next()).toEqual({
      data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: false } },
    });
    await setReminders(silentProcess, { id, off: true, now: clock.now() });
    await cutListener();
    expect(await stream.next()).toEqual({
      data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: true } },
    });
    await stream.close();
  });

  test('an older transfer that somebody assigned, and a charge it was taken from, are told too', async () => {
    const [paid, open] = [
      await newCharge('paid@example.com', 'live'),
      await newCharge('open@example.com', 'live'),
    ];
    const wrong = await exceptionFor(paid);
    await assign(paid, wrong.transferId);
    const older = await exceptionFor(open);
    const newest = {
      transfer: await exceptionFor(open),
      charge: await newCharge('newest@example.com', 'live'),
    };
    await waitLong();
    const transfers = subscribeOverWebSocket(
      onCleanup,
      app.url,
      live,
      'subscription { transfersUpdated { id status } }',
    );
    const charges = subscribeOverSse(
      onCleanup,
      app.url,
      live,
      'subscription { chargesUpdated { id amountReceived } }',
    );
    const told = async () => (await transfers.next()).data.transfersUpdated;
    expect(await told()).toEqual({ id: newest.transfer.transferId, status: 'exception' });
    expect(await charges.next()).toMatchObject({ data: { chargesUpdated: { id: newest.charge.id } } });
    await unassign(paid, wrong.transferId, silentProcess);
    await assign(open, older.transferId, silentProcess);
    await cutListener();
    expect([await told(), await told()].toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
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
