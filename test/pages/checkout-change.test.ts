import { describe, expect } from 'vitest';
import type { Charge, CheckoutSession } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { assignTransfer } from '../../src/domain/money-in/transfer/review/assign-transfer.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { closeCheckoutLink } from '../../src/domain/payments/checkout-link/close-checkout-link.ts';
import { getSessionCharge } from '../../src/domain/payments/session/get-session.ts';
import { callAsMerchant } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import {
  addressPath,
  chargePath,
  linkPath,
  payForm,
  seedCheckoutLink,
  seedSession,
  sessionPath,
} from '../setup/checkout.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const test = appTest
  .extend('customer', ({ app }) => createPageVisitor(app.app))
  .extend('session', ({ app, merchant }) =>
    seedSession(app.context.service, merchant, { input: { currency: 'HKD' }, now: noon }),
  );

const scope = ({ merchant }: NewMerchant) => ({ merchantId: merchant.id, mode: 'live' }) as const;
const changeTo = (method: string) => ({ do: 'change', method });

const readCurrent = (app: TestApp, merchant: NewMerchant, { id }: CheckoutSession): Promise<Charge> =>
  getSessionCharge(app.context.service, { ...scope(merchant), id });

const readCharge = (app: TestApp, id: string): Promise<Charge> =>
  app.context.service.prisma.charge.findUniqueOrThrow({ where: { id } });

describe('Pay another way', () => {
  test('replaces the charge of the session, which stays charged', async ({
    app,
    merchant,
    customer,
    session,
  }) => {
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const first = await readCurrent(app, merchant, session);
    expect((await customer.get(path)).main).toContain('Pay another way');
    expect((await customer.get(`${path}&view=methods`)).main).toContain('Back to FPS');
    const changed = await customer.post(`${path}&view=methods`, changeTo('hk-bank-transfer'));
    expect([changed.status, changed.location]).toEqual([303, path]);
    const second = await readCurrent(app, merchant, session);
    expect(second).toMatchObject({
      method: 'hk-bank-transfer',
      status: 'pending',
      replacesId: first.id,
      email: first.email,
      merchantAmount: first.merchantAmount,
      orders: first.orders,
    });
    expect(await readCharge(app, first.id)).toMatchObject({ status: 'cancelled' });
    const { status } = await app.context.service.prisma.checkoutSession.findUniqueOrThrow({
      where: { id: session.id },
    });
    expect(status).toBe('charged');
    const response = await callAsMerchant(app, merchant, 'GET', `/sessions/${session.id}/charge`);
    expect(response.json).toMatchObject({ id: second.id, method: 'hk-bank-transfer' });
  });

  test('shows only methods that the session allows', async ({ app, merchant, customer }) => {
    const input = { currency: 'HKD', methods: ['fps', 'hk-bank-transfer'] };
    const session = await seedSession(app.context.service, merchant, { input, now: noon });
    const path = sessionPath(session);
    await customer.post(path, payForm);
    expect((await customer.get(`${path}&view=methods`)).main).not.toContain('PayNow');
    expect((await customer.post(path, changeTo('paynow'))).status).toBe(422);
    expect((await readCurrent(app, merchant, session)).method).toBe('fps');
  });

  test('is not offered by a session with one method, and not to another browser', async ({
    app,
    merchant,
    customer,
    session,
  }) => {
    const input = { currency: 'HKD', methods: ['fps'] };
    const single = await seedSession(app.context.service, merchant, { input, now: noon });
    await customer.post(sessionPath(single), payForm);
    expect((await customer.get(sessionPath(single))).main).not.toContain('Pay another way');
    await customer.post(sessionPath(session), payForm);
    const other = createPageVisitor(app.app);
    expect((await other.get(sessionPath(session))).main).not.toContain('Pay another way');
    await other.post(sessionPath(session), changeTo('hk-bank-transfer'));
    expect((await readCurrent(app, merchant, session)).method).toBe('fps');
  });

  test('ends when money has arrived', async ({ app, clock, merchant, customer, session }) => {
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const charge = await readCurrent(app, merchant, session);
    await payCharge(app.context.service, merchant, charge, { minor: 5_000n, now: clock.now() });
    expect((await customer.get(`${path}&view=methods`)).main).toContain('Still to pay');
    await customer.post(path, changeTo('hk-bank-transfer'));
    expect((await readCurrent(app, merchant, session)).id).toBe(charge.id);
  });

  test('replaces the charge of a link without using the link twice', async ({ app, merchant, customer }) => {
    const { service } = app.context;
    const link = await seedCheckoutLink(service, merchant, { input: { usageLimit: 1 }, now: noon });
    const { location } = await customer.post(linkPath(link), payForm);
    const changed = await customer.post(location, changeTo('hk-bank-transfer'));
    expect(changed.location).not.toBe(location);
    const page = await customer.get(changed.location);
    expect(page.main).toContain('Hong Kong bank transfer');
    expect(page.main).toContain('mei@example.com');
    expect(await customer.get(location)).toMatchObject({ status: 302, location: changed.location });
    const { uses } = await service.prisma.checkoutLink.findUniqueOrThrow({ where: { id: link.id } });
    expect(uses).toBe(1);
  });

  test('reports a payment for the replaced charge, and completes the sale when it is assigned', async ({
    app,
    clock,
    merchant,
    customer,
    session,
  }) => {
    const { service } = app.context;
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const first = await readCurrent(app, merchant, session);
    await customer.post(path, changeTo('hk-bank-transfer'));
    const second = await readCurrent(app, merchant, session);
    const { transferId, reason } = await payCharge(service, merchant, first, { now: clock.now() });
    expect(reason).toBe('charge_cancelled');
    const page = await customer.get(path);
    expect(page.main).toContain('We received HK$86.40 with your earlier payment details');
    expect(page.main).not.toContain('Pay another way');
    const assign = (chargeId: string) =>
      assignTransfer(service, {
        merchant: merchant.merchant,
        mode: 'live',
        assignment: { transferId: transferId!, parts: [{ chargeId }] },
        audit: { actor: 'user:usr_1', now: clock.now() },
        now: clock.now(),
      });
    await assign(second.id);
    expect((await customer.get(path)).main).toContain('Payment received');
  });

  test('cancels the new charge when the merchant applies a payment to the replaced one', async ({
    app,
    clock,
    merchant,
    customer,
    session,
  }) => {
    const { service } = app.context;
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const first = await readCurrent(app, merchant, session);
    await customer.post(path, changeTo('paynow'));
    const second = await readCurrent(app, merchant, session);
    const { transferId } = await payCharge(service, merchant, first, { now: clock.now() });
    await assignTransfer(service, {
      merchant: merchant.merchant,
      mode: 'live',
      assignment: { transferId: transferId!, parts: [{ chargeId: first.id }] },
      audit: { actor: 'user:usr_1', now: clock.now() },
      now: clock.now(),
    });
    expect((await readCharge(app, second.id)).status).toBe('cancelled');
    expect((await readCurrent(app, merchant, session)).id).toBe(first.id);
    expect((await customer.get(path)).main).toContain('Payment received');
  });
});

describe('Start again', () => {
  test('replaces the expired charge of a session that is still valid', async ({
    app,
    clock,
    merchant,
    customer,
    session,
  }) => {
    const { service } = app.context;
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const first = await readCurrent(app, merchant, session);
    clock.set(minutesAfter(noon, 31));
    await expireCharges(service, { now: clock.now() });
    expect((await customer.get(path)).main).toContain('Start again');
    await customer.post(`${path}&view=methods`, changeTo('fps'));
    const second = await readCurrent(app, merchant, session);
    expect(second).toMatchObject({ status: 'pending', replacesId: first.id });
    // A payment in time for the first charge that is reported late completes neither charge automatically.
    const paid = await payCharge(service, merchant, first, {
      paidAt: minutesAfter(noon, 5),
      now: clock.now(),
    });
    expect(paid).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    expect((await readCharge(app, first.id)).status).toBe('expired');
    expect((await customer.get(path)).main).toContain('Please don’t pay again');
  });

  test('is possible with the same method, even before the job has expired the charge', async ({
    app,
    clock,
    merchant,
    customer,
  }) => {
    const input = { currency: 'HKD', methods: ['fps'] };
    const session = await seedSession(app.context.service, merchant, { input, now: noon });
    const path = sessionPath(session);
    await customer.post(path, payForm);
    const { id: replacesId } = await readCurrent(app, merchant, session);
    clock.set(minutesAfter(noon, 31));
    expect((await customer.get(path)).main).toContain('Start again');
    await customer.post(`${path}&view=methods`, changeTo('fps'));
    expect(await readCurrent(app, merchant, session)).toMatchObject({
      status: 'pending',
      method: 'fps',
      replacesId,
    });
    expect((await customer.get(path)).main).toContain('Waiting for your payment');
  });

  test('is not offered when the session has ended', async ({ clock, customer, session }) => {
    const path = sessionPath(session);
    await customer.post(path, payForm);
    clock.set(minutesAfter(noon, 61));
    const page = await customer.get(path);
    expect(page.main).toContain('This payment has expired');
    expect(page.main).not.toContain('Start again');
  });

  test('opens a link or a checkout URL again', async ({ app, merchant, customer }) => {
    const { service } = app.context;
    const link = await seedCheckoutLink(service, merchant, { now: noon });
    for (const path of [linkPath(link), addressPath(merchant.keys.live.publishableKey)]) {
      const { location } = await customer.post(path, payForm);
      await customer.post(location, { do: 'cancel' });
      const { text } = await customer.get(location);
      const href = /class="button" href="([^"]*)"[^>]*>Start again/.exec(text)?.[1]?.replaceAll('&amp;', '&');
      expect((await customer.get(href!)).main).toContain('Choose how to pay');
    }
    const { location } = await customer.post(linkPath(link), payForm);
    await customer.post(location, { do: 'cancel' });
    await closeCheckoutLink(service, { ...scope(merchant), id: link.id, now: noon });
    expect((await customer.get(location)).main).not.toContain('Start again');
  });

  test('is not offered when the link has expired', async ({ app, clock, merchant, customer }) => {
    const input = { expiresAt: minutesAfter(noon, 60) };
    const link = await seedCheckoutLink(app.context.service, merchant, { input, now: noon });
    const { location } = await customer.post(linkPath(link), payForm);
    await customer.post(location, { do: 'cancel' });
    expect((await customer.get(location)).main).toContain('Start again');
    clock.set(minutesAfter(noon, 60));
    expect((await customer.get(location)).main).not.toContain('Start again');
  });
});

describe('A link that this browser has started to pay', () => {
  test('offers to continue the open charge, or to start another one', async ({ app, merchant, customer }) => {
    const { service } = app.context;
    const link = await seedCheckoutLink(service, merchant, { now: noon });
    const path = linkPath(link);
    const { location } = await customer.post(path, payForm);
    const page = await customer.get(path);
    expect(page.main).toContain('You’ve already started this payment');
    expect(page.text.replaceAll('&amp;', '&')).toContain(`href="${location}"`);
    expect((await customer.post(path, payForm)).location).toBe(path);
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { checkoutLinkId: link.id } });
    await payCharge(service, merchant, charge, { minor: charge.customerAmount - 3_000n, now: noon });
    expect((await customer.get(path)).main).toContain('Continue to pay HK$30.00');
    expect(await service.prisma.charge.count({ where: { checkoutLinkId: link.id } })).toBe(1);
    expect((await customer.get(`${path}&view=new`)).main).toContain('Choose how to pay');
    await customer.post(`${path}&view=new`, payForm);
    expect(await service.prisma.charge.count({ where: { checkoutLinkId: link.id } })).toBe(2);
    expect((await createPageVisitor(app.app).get(path)).main).toContain('Choose how to pay');
  });

  test('reports the payment instead of asking for it again', async ({ app, merchant, customer }) => {
    const { service } = app.context;
    const link = await seedCheckoutLink(service, merchant, { now: noon });
    const path = linkPath(link);
    const { location } = await customer.post(path, payForm);
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { checkoutLinkId: link.id } });
    await payCharge(service, merchant, charge, { now: noon });
    const page = await customer.get(path);
    expect(page.main).toContain('You’ve already paid');
    expect(page.main).toContain('A payment of HK$128.50 to');
    expect(page.text.replaceAll('&amp;', '&')).toContain(`href="${location}"`);
    expect((await customer.post(path, payForm)).location).toBe(path);
    expect((await createPageVisitor(app.app).get(path)).main).toContain('Choose how to pay');
    expect((await customer.get(`${path}&view=new`)).main).toContain('Choose how to pay');
    await customer.post(`${path}&view=new`, payForm);
    expect((await customer.get(path)).main).toContain('You’ve already started this payment');
    expect(await service.prisma.charge.count({ where: { checkoutLinkId: link.id } })).toBe(2);
  });

  test('asks for the payment again after the bank has reversed it', async ({ app, merchant, customer }) => {
    const { service } = app.context;
    const link = await seedCheckoutLink(service, merchant, { now: noon });
    await customer.post(linkPath(link), payForm);
    const charge = await service.prisma.charge.findFirstOrThrow({ where: { checkoutLinkId: link.id } });
    await payCharge(service, merchant, charge, { now: noon });
    await service.prisma.charge.update({ where: { id: charge.id }, data: { amountReceived: 0n } });
    expect((await customer.get(linkPath(link))).main).toContain('Choose how to pay');
  });

  test('distinguishes the charges of one checkout URL from those of another', async ({
    merchant,
    customer,
  }) => {
    const { publishableKey } = merchant.keys.live;
    await customer.post(addressPath(publishableKey), payForm);
    expect((await customer.get(addressPath(publishableKey))).main).toContain('already started');
    expect((await customer.get(addressPath(publishableKey, 64))).main).toContain('Choose how to pay');
  });
});

test('the page of an expired charge reports money that arrived late', async ({
  app,
  clock,
  merchant,
  customer,
}) => {
  const { service } = app.context;
  const link = await seedCheckoutLink(service, merchant, { now: noon });
  await customer.post(linkPath(link), payForm);
  const charge = await service.prisma.charge.findFirstOrThrow({ where: { checkoutLinkId: link.id } });
  clock.set(minutesAfter(noon, 45));
  await expireCharges(service, { now: clock.now() });
  await payCharge(service, merchant, charge, { now: clock.now() });
  const page = await customer.get(chargePath(service, charge));
  expect(page.main).toContain('Your payment has arrived');
  expect(page.main).toContain('We received HK$128.50 after the time for this payment had passed');
  expect(page.main).toContain(charge.paymentReference);
});
