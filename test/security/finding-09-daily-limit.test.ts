import { describe, expect, test } from 'vitest';
import type { Prisma } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrol } from '../../src/domain/billing/subscription/enrol.ts';
import { paySubscription } from '../../src/domain/billing/subscription/pay-subscription.ts';
import { eraseCustomer } from '../../src/domain/operations/customer-data/erase-customer.ts';
import { pruneCheckoutSlots } from '../../src/domain/payments/checkout/checkout-slot.ts';
import { dayMs, minuteMs } from '../../src/kit/duration.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupCappedCheckout } from '../setup/capped-checkout.ts';
import { payForm } from '../setup/checkout.ts';
import { doneOrCode } from '../setup/errors.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

/** Finding 9: references stay reserved after the payment window, and renewals of free subscriptions use them too. */

const cap = 3;
const dayMinutes = dayMs / minuteMs;
const { clock, app, service, newNetwork, newShop, start } = setupCappedCheckout(cap);

const countSlots = (where: Prisma.CheckoutSlotWhereInput) => service().prisma.checkoutSlot.count({ where });

/** An enrolment link of a plan that begins without a payment. */
async function makeFreeLink(shop: NewMerchant) {
  const plan = await seedPlan(service(), shop, {
    input: { initialPayment: { amount: 0, period: 'days', count: 14 } },
    now: noon,
  });
  return createSubscriptionLink(service(), {
    ...{ merchant: shop.merchant, mode: plan.mode, now: noon },
    input: { subscriptionPlanId: plan.id },
  });
}

describe('the limit of what one network starts in 24 hours without paying', () => {
  test('holds over several payment windows, until the first start is 24 hours ago', async () => {
    const { path } = await newShop();
    const address = newNetwork();
    for (let window = 0; window < 4; window++) {
      clock.set(minutesAfter(noon, 31 * window));
      expect(await start(path, address, cap)).toEqual([303, 303, 303]);
    }
    clock.set(minutesAfter(noon, 31 * 4));
    await pruneCheckoutSlots(service(), { now: clock.now() });
    const { status, headers } = await createPageVisitor(app(), address).post(path, payForm);
    expect([status, headers['retry-after']]).toEqual([429, String((dayMinutes - 31 * 4) * 60)]);
    expect(await start(path, newNetwork(), 1)).toEqual([303]);
    clock.set(minutesAfter(noon, dayMinutes));
    expect(await start(path, address, cap + 1)).toEqual([303, 303, 303, 429]);
  });

  test('does not count charges that are paid', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    for (let window = 0; window < 6; window++) {
      clock.set(minutesAfter(noon, 31 * window));
      expect(await start(path, address, cap)).toEqual([303, 303, 303]);
      const pending = await service().prisma.charge.findMany({
        where: { merchantId: shop.merchant.id, status: 'pending' },
      });
      for (const charge of pending) await payCharge(service(), shop, charge, { now: clock.now() });
    }
    expect(await countSlots({ merchantId: shop.merchant.id })).toBe(0);
  });

  test('counts enrolments that begin without a payment, until they are paid', async () => {
    const { shop, path: chargePath } = await newShop();
    const { merchant } = shop;
    const link = await makeFreeLink(shop);
    const path = toPath(enrolmentUrl(service(), link));
    let visitors = 0;
    const enrolFrom = (address: string) =>
      createPageVisitor(app(), address).post(path, { ...payForm, email: `free-${++visitors}@example.com` });
    const address = newNetwork();
    for (let i = 0; i < 4 * cap; i++) expect((await enrolFrom(address)).status).toBe(303);
    const { status, headers } = await enrolFrom(address);
    expect([status, headers['retry-after']]).toEqual([429, String(dayMinutes * 60)]);
    const enrolled = await service().prisma.subscription.findMany({ where: { linkId: link.id } });
    expect(enrolled.map((subscription) => subscription.status)).toEqual(Array(4 * cap).fill('active'));
    expect((await enrolFrom(newNetwork())).status).toBe(303);
    expect(await start(chargePath, address, 1)).toEqual([303]);

    const { id, mode } = enrolled[0]!;
    const owner = { merchantId: merchant.id, mode };
    const charge = await paySubscription(service(), { ...owner, id, actor: 'customer', now: noon });
    await payCharge(service(), shop, charge, { now: noon });
    expect([(await enrolFrom(address)).status, (await enrolFrom(address)).status]).toEqual([303, 429]);
    clock.set(minutesAfter(noon, dayMinutes));
    expect((await enrolFrom(address)).status).toBe(303);
    await expectInvariants(service());
  });

  test('is forgotten with the customer', async () => {
    const { shop, path } = await newShop();
    const address = newNetwork();
    const link = await makeFreeLink(shop);
    await start(path, address, 1);
    await start(toPath(enrolmentUrl(service(), link)), address, 1);
    const merchantId = shop.merchant.id;
    expect(await countSlots({ merchantId })).toBe(2);
    for (const { id } of await service().prisma.customer.findMany({ where: { merchantId } }))
      await eraseCustomer(service(), { id, now: noon });
    expect(await countSlots({ merchantId })).toBe(0);
  });

  test('holds among concurrent free enrolments', async () => {
    const { shop } = await newShop();
    const { merchant } = shop;
    const link = await makeFreeLink(shop);
    const visitor = { address: newNetwork() };
    const enrolments = Array.from({ length: 6 * cap }, (_, i) =>
      doneOrCode(
        enrol(service(), {
          ...{ merchant, link, visitor, method: 'fps', language: 'en', actor: 'customer', now: noon },
          customer: { email: `racing-${i}@example.com` },
        }),
      ),
    );
    const ends = await Promise.all(enrolments);
    expect(ends.filter((end) => end === 'done')).toHaveLength(4 * cap);
    expect(ends.filter((end) => end === 'rate_limited')).toHaveLength(2 * cap);
  });
});
