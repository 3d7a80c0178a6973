import { expect, test } from 'vitest';
import { payInvoice } from '../../../src/domain/billing/invoice/pay-invoice.ts';
import { createSubscriptionLink } from '../../../src/domain/billing/subscription/create-subscription-link.ts';
import { type EnrolOptions, enrol } from '../../../src/domain/billing/subscription/enrol.ts';
import { paySubscription } from '../../../src/domain/billing/subscription/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/subscription/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { createPageToken } from '../../../src/domain/payments/checkout/page-tokens.ts';
import { createRefund } from '../../../src/domain/payments/refund/create-refund.ts';
import { newToken } from '../../../src/kit/token.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { expectInvariants } from '../../setup/invariants.ts';
import { day, minutesAfter, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';
import {
  completeCharge,
  copySubscription,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../../setup/subscriptions.ts';
import { payCharge } from '../../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

const service = await setupService(onCleanup);
const started = day('2026-01-15');
const merchant = await seedMerchant(service, {}, started);
const owner = { merchantId: merchant.merchant.id, mode: 'live' as const };

async function makeLink(input: Parameters<typeof seedPlan>[2] = {}) {
  const plan = await seedPlan(service, merchant, { now: started, ...input });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: merchant.merchant, mode: 'live' as const, now: started },
    input: { subscriptionPlanId: plan.id },
  });
  const enrolAs = (email: string, more: Partial<EnrolOptions> = {}) =>
    enrol(service, {
      ...{ merchant: merchant.merchant, link, method: 'fps' as const, customer: { email } },
      ...{ language: 'en', actor: 'customer', now: started, ...more },
    });
  return { plan, enrolAs };
}

test('an enrolment whose charge expired and is paid all the same begins with that payment', async () => {
  const { subscription, charge } = await seedSubscription(service, merchant, { now: started });
  await expireCharges(service, { now: day('2026-01-20') });
  expect((await readCharges(service, subscription.id))[0]).toMatchObject({ status: 'expired' });
  await completeCharge(service, charge!, day('2026-01-31'));
  expect(await readSubscription(service, subscription.id)).toMatchObject({
    status: 'active',
    activeUntil: day('2026-02-28'),
    numPaymentsComplete: 1,
  });
});

const yearly = {
  recurringPayment: { amount: 1_000, period: 'years', count: 1 },
  initialPayment: { amount: 1, period: 'days', count: 1 },
  gracePeriod: 5,
};

test('a lower first price paid twice: the second is a surplus, the invoice of the full price stays open', async () => {
  const plan = await seedPlan(service, merchant, { input: yearly, now: started });
  const { subscription, charge } = await seedSubscription(service, merchant, { plan, now: started });
  const { id } = subscription;
  // Paid in its window, which the bank tells late: the page has asked anew meanwhile.
  const after = minutesAfter(started, 60);
  await expireCharges(service, { now: after });
  const again = await paySubscription(service, { ...owner, id, actor: 'customer', now: after });
  await payCharge(service, merchant, again, { now: after });
  await renewSubscriptions(service, { now: after });
  const before = await readSubscription(service, id);
  expect(before).toMatchObject({ status: 'active', numPaymentsComplete: 1 });

  const paidAt = minutesAfter(started, 20);
  await payCharge(service, merchant, charge!, { paidAt, now: minutesAfter(after, 5) });
  expect(await readSubscription(service, id)).toEqual(before);
  expect(await readInvoices(service, id)).toMatchObject([{ status: 'open', amount: 100_000n }]);
  const [late] = await readCharges(service, id);
  expect(late).toMatchObject({ id: charge!.id, status: 'completed', amountReceived: 100n });
  const events = await service.prisma.event.findMany({
    where: { objectId: { in: [id, late!.id] } },
    orderBy: { id: 'asc' },
  });
  expect(events.map(({ type: message }) => message)).toEqual([
    'subscription_created',
    'charge_created',
    'charge_expired',
    'subscription_paid',
    'CHARGE_COMPLETE',
    'charge_completed',
  ]);
  const refund = { actor: 'user:ada', input: { chargeId: late!.id, customerAmount: 1 }, now: after };
  expect((await createRefund(service, { ...owner, ...refund })).refund.status).toBe('initiated');
});

test('a lower first price paid again while nobody has asked for what is overdue: it is asked for all the same', async () => {
  const plan = await seedPlan(service, merchant, { input: yearly, now: started });
  const { subscription, charge } = await seedSubscription(service, merchant, { plan, now: started });
  const { id } = subscription;
  await expireCharges(service, { now: minutesAfter(started, 60) });
  const options = { ...owner, id, actor: 'customer', now: minutesAfter(started, 60) };
  await completeCharge(service, await paySubscription(service, options), minutesAfter(started, 60));
  const late = day('2026-02-20');
  await completeCharge(service, charge!, late);
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active', numPaymentsComplete: 1 });
  await renewSubscriptions(service, { now: late });
  expect(await readInvoices(service, id)).toMatchObject([{ status: 'open' }]);
  expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive', numPaymentsComplete: 1 });
});

test('a charge that is left when another pays its invoice stays, beside the one for the next payment; both count', async () => {
  const { id } = await seedActiveSubscription(service, merchant, { now: started });
  await renewSubscriptions(service, { now: day('2026-02-14') });
  const late = day('2026-02-17');
  await expireCharges(service, { now: late });
  await renewSubscriptions(service, { now: late });
  const [invoice] = await readInvoices(service, id);
  const expired = (await readCharges(service, id)).find(({ status }) => status === 'expired');
  const by = { ...owner, actor: 'customer', now: late };
  const left = await payInvoice(service, { ...by, id: invoice!.id });
  await payCharge(service, merchant, expired!, { paidAt: day('2026-02-15'), now: late });
  const ahead = await paySubscription(service, { ...by, id });
  expect(ahead.id).not.toBe(left.id);
  const pending = (await readCharges(service, id)).filter(({ status }) => status === 'pending');
  expect(pending.map((charge) => charge.id).sort()).toEqual([left.id, ahead.id].sort());
  await expectInvariants(service);
  await completeCharge(service, left, late);
  await completeCharge(service, ahead, late);
  expect(await readSubscription(service, id)).toMatchObject({
    numPaymentsComplete: 4,
    activeUntil: day('2026-05-17'),
  });
});

test('two customers at one link have a subscription each, and so has who only gives the address of another', async () => {
  const { enrolAs } = await makeLink();
  const enrolled = await Promise.all([enrolAs('ada@example.com'), enrolAs('mei@example.com')]);
  const stranger = await enrolAs('ada@example.com', { method: 'hk-bank-transfer' });
  const ids = [...enrolled, stranger].map(({ subscription }) => subscription.id);
  expect(new Set(ids).size).toBe(3);
  for (const id of ids) expect(await readCharges(service, id)).toMatchObject([{ status: 'pending' }]);
});

test('who shows that they have enrolled keeps their subscription; one who has paid may enrol again', async () => {
  const { enrolAs } = await makeLink();
  const formToken = newToken();
  const [ada, twice] = await Promise.all([
    enrolAs('ada@example.com', { tokens: { formToken } }),
    enrolAs('ada@example.com', { tokens: { formToken } }),
  ]);
  expect(twice.subscription.id).toBe(ada.subscription.id);
  const tokens = { pageToken: createPageToken(service.secrets, 'subscription', ada.subscription) };
  expect((await enrolAs('Ada@Example.com', { tokens })).subscription.id).toBe(ada.subscription.id);
  const others = [
    await enrolAs('mei@example.com', { tokens: { ...tokens, formToken } }),
    await enrolAs('ada@example.com', {
      tokens: { formToken: newToken(), pageToken: `${ada.subscription.id}.x` },
    }),
    await enrolAs('ada@example.com', { tokens: { formToken: '' } }),
    await enrolAs('ada@example.com', { tokens: { formToken: '' } }),
  ];
  await completeCharge(service, ada.charge!, started);
  expect(await enrolAs('ada@example.com', { tokens: { formToken } })).toMatchObject({
    subscription: { id: ada.subscription.id, status: 'active' },
    charge: null,
  });
  const again = await enrolAs('ada@example.com', { tokens: { ...tokens, formToken: newToken() } });
  const ids = [ada, ...others, again].map(({ subscription }) => subscription.id);
  expect(new Set(ids).size).toBe(6);
});

test('a link offers what its plan offers now, edited before anybody subscribed', async () => {
  const { plan, enrolAs } = await makeLink();
  const change = { merchant: merchant.merchant, mode: 'live' as const, id: plan.id, now: started };
  await updateSubscriptionPlan(service, { ...change, input: { methods: ['hk-bank-transfer'] } });
  await expect(enrolAs('eve@example.com')).rejects.toMatchObject({ code: 'method_unavailable' });
  const { subscription } = await enrolAs('eve@example.com', { method: 'hk-bank-transfer' });
  expect(subscription.methods).toEqual(['hk-bank-transfer']);
});

test('the sweep asks each of many with an amount of its own, where the account tells payments apart by it', async () => {
  const own = await seedMerchant(service, {}, started);
  await service.prisma.receivingAccount.updateMany({
    where: { merchantId: own.merchant.id, mode: 'live', method: 'fps' },
    data: { maxAmountOffset: 4 },
  });
  const plan = await seedPlan(service, own, { now: started });
  const first = await seedActiveSubscription(service, own, { plan, now: started });
  await copySubscription(
    service,
    first,
    Array.from({ length: 6 }, () => ({})),
  );
  await renewSubscriptions(service, { now: day('2026-02-13') });
  const charges = await service.prisma.charge.findMany({
    where: { merchantId: own.merchant.id, status: 'pending' },
  });
  const amounts = charges.map(({ customerAmount }) => customerAmount).sort();
  // Of the five amounts there are, each once; no invoice is lost for want of more.
  expect(new Set(amounts)).toEqual(new Set([10_000n, 10_100n, 10_200n, 10_300n, 10_400n]));
  expect(amounts.length).toBe(7);
  expect(new Set(charges.map(({ paymentReference: nonce }) => nonce)).size).toBe(7);
});

test('nothing above has broken a promise of the database', async () => {
  await expectInvariants(service);
});
