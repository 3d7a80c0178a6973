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
import { makeSession } from '../setup/checkout.ts';
import { overSocket, overSse } from '../setup/graphql.ts';
import { liveApp } from '../setup/live-app.ts';
import { adasAccount } from '../setup/payouts.ts';
import { expectSound } from '../setup/sound.ts';
import { makeActiveSubscription } from '../setup/subscriptions.ts';
import { payCharge, recordOne, transferInput } from '../setup/transfers.ts';

/** Changes of which the merchant is sent nothing, for they have no event; whoever follows the object is told. */

const { app, elsewhere, clock, chargeOf, dying, cut } = await liveApp();
const { merchant } = app;
const live = merchant.keys.live;
const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;

afterEach(() => expectSound(elsewhere));

/** Of what a charge asks, without its word; a second after whatever was before, so that it is the newest. */
function exceptionFor({ receivingAccountId, customerAmount: minor }: Charge) {
  clock.pass(1_000);
  const input = transferInput({ money: { minor, currency: 'HKD' }, paidAt: clock.now() });
  return recordOne(elsewhere, merchant, { receivingAccountId, input, now: clock.now() });
}

function assign(charge: Charge, transferId: string, service = elsewhere) {
  const now = clock.now();
  const assignment = { transferId, parts: [{ chargeId: charge.id }] };
  const audit = { actor: 'user:test', now };
  return assignTransfer(service, { ...owner, merchant: merchant.merchant, assignment, audit, now });
}

function unassign(charge: Charge, transferId: string, service = elsewhere) {
  const now = clock.now();
  const input = { transferId, chargeId: charge.id };
  return unassignTransfer(service, { ...owner, input, audit: { actor: 'user:test', now }, now });
}

describe.each([
  ['a WebSocket', overSocket],
  ['server-sent events', overSse],
])('over %s', (name, open) => {
  test('money that is taken back from a charge is told, as it was when it came', async () => {
    const charge = await chargeOf(`${name.replaceAll(' ', '-')}@example.com`, 'live');
    const shown = '{ id status amountReceived paymentState }';
    const one = open(app.url, live, `subscription { chargeUpdated(id: "${charge.id}") ${shown} }`);
    const all = open(app.url, live, `subscription { chargesUpdated ${shown} }`);
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
    await Promise.all([one.end(), all.end()]);
  });

  test('a customer who is erased is told to those who follow what they left', async () => {
    const email = `erased-${name.replaceAll(' ', '-')}@example.com`;
    const charge = await chargeOf(email, 'live');
    const refund = await refundOf(charge);
    const now = clock.now();
    const subscription = await makeActiveSubscription(elsewhere, merchant, { email, now });
    const session = await makeSession(elsewhere, merchant, { input: { customer: { email } }, now });
    const streams = [
      `chargeUpdated(id: "${charge.id}") { shown: email }`,
      `refundUpdated(id: "${refund.id}") { shown: payoutDetails { accountName } }`,
      `sessionUpdated(id: "${session.id}") { shown: customer { email } }`,
      `subscriptionUpdated(id: "${subscription.id}") { shown: email }`,
    ].map((field) => open(app.url, live, `subscription { told: ${field} }`));
    const shown = () => Promise.all(streams.map(async (stream) => (await stream.next()).data.told.shown));
    expect(await shown()).toEqual([email, { accountName: adasAccount.holder }, { email }, email]);
    await eraseCustomer(elsewhere, { id: charge.customerId, now });
    expect(await shown()).toEqual([null, null, null, null]);
    await Promise.all(streams.map((stream) => stream.end()));
  });

  test('what a customer sets on the page of the subscription is told', async () => {
    const { id } = await makeActiveSubscription(elsewhere, merchant, { now: clock.now() });
    const query = `subscription { subscriptionUpdated(id: "${id}") { locale hasOptedOutOfReminders } }`;
    const stream = open(app.url, live, query);
    const told = async () => (await stream.next()).data.subscriptionUpdated;
    expect(await told()).toEqual({ locale: 'en', hasOptedOutOfReminders: false });
    await setReminders(elsewhere, { id, off: true, now: clock.now() });
    expect(await told()).toEqual({ locale: 'en', hasOptedOutOfReminders: true });
    await setLanguage(elsewhere, { id, language: 'th', now: clock.now() });
    expect(await told()).toEqual({ locale: 'th', hasOptedOutOfReminders: true });
    await stream.end();
  });
});

/** Of a part of what was paid; the money has been sent. */
async function refundOf(charge: Charge) {
  const change = { ...owner, actor: 'user:test', now: clock.now() };
  await payCharge(elsewhere, merchant, charge, { now: clock.now() });
  const { refund } = await createRefund(elsewhere, {
    ...change,
    input: { chargeId: charge.id, customerAmount: 20.5 },
  });
  await submitRefundDetails(elsewhere, { ...change, id: refund.id, details: adasAccount });
  await completeRefund(elsewhere, { ...change, id: refund.id });
  return refund;
}

/** All that was done so far stands in the log long before what follows. */
async function waitLong(): Promise<void> {
  clock.pass(600_000);
  await relayEvents(elsewhere, { now: clock.now() });
}

describe('when the connection that listens was away meanwhile', () => {
  test('what was told before is looked at again', async () => {
    clock.pass(1_000);
    const { id } = await makeActiveSubscription(elsewhere, merchant, { now: clock.now() });
    await waitLong();
    const stream = overSocket(
      app.url,
      live,
      'subscription { subscriptionsUpdated { id hasOptedOutOfReminders } }',
    );
    expect(await stream.next()).toEqual({
      data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: false } },
    });
    await setReminders(dying, { id, off: true, now: clock.now() });
    await cut();
    expect(await stream.next()).toEqual({
      data: { subscriptionsUpdated: { id, hasOptedOutOfReminders: true } },
    });
    await stream.end();
  });

  test('an older transfer that somebody assigned, and a charge it was taken from, are told too', async () => {
    const [paid, open] = [
      await chargeOf('paid@example.com', 'live'),
      await chargeOf('open@example.com', 'live'),
    ];
    const wrong = await exceptionFor(paid);
    await assign(paid, wrong.transferId);
    const older = await exceptionFor(open);
    const newest = {
      transfer: await exceptionFor(open),
      charge: await chargeOf('newest@example.com', 'live'),
    };
    await waitLong();
    const transfers = overSocket(app.url, live, 'subscription { transfersUpdated { id status } }');
    const charges = overSse(app.url, live, 'subscription { chargesUpdated { id amountReceived } }');
    const told = async () => (await transfers.next()).data.transfersUpdated;
    expect(await told()).toEqual({ id: newest.transfer.transferId, status: 'exception' });
    expect(await charges.next()).toMatchObject({ data: { chargesUpdated: { id: newest.charge.id } } });
    await unassign(paid, wrong.transferId, dying);
    await assign(open, older.transferId, dying);
    await cut();
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
    await Promise.all([transfers.end(), charges.end()]);
  });
});
