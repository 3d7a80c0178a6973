import { expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl, getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { chargePath, linkPath, seedCheckoutLink } from '../setup/checkout.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor, type InjectedBrowser } from '../setup/page-visitor.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const test = appTest.extend('customer', ({ app }) => createPageVisitor(app.app));

async function seedManagePath(service: Service, merchant: NewMerchant, phone: string | null = null) {
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: noon });
  const email = 'mei@example.com';
  const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: noon });
  const subscription = await service.prisma.subscription.update({ where: { id }, data: { phone } });
  return toPath(getManageUrl(service, subscription));
}

test('the enrolment page promises no invoices', async ({ service, merchant, customer }) => {
  const input = { sendEmail: true, initialPayment: { amount: 0, period: 'days', count: 14 } } as const;
  for (const plan of [
    await seedPlan(service, merchant, { input, now: noon }),
    await seedPlan(service, merchant, { input: { sendEmail: true }, now: noon }),
  ]) {
    const link = await createSubscriptionLink(service, {
      ...{ merchant: merchant.merchant, mode: plan.mode, now: noon },
      input: { subscriptionPlanId: plan.id },
    });
    const { status, main } = await customer.get(toPath(getEnrolmentUrl(service, link)));
    expect(status).toBe(200);
    expect(main).toContain('Nothing is charged automatically.');
    expect(main).toContain('In case we need to contact you about this payment.');
    expect(main).not.toMatch(/We’ll send|You’ll get/);
  }
});

test('a customer pays a checkout link with a name, and is asked for a name or an email', async ({
  service,
  merchant,
  customer,
}) => {
  const link = await seedCheckoutLink(service, merchant);
  const path = linkPath(link);
  const { main } = await customer.get(path);
  expect(main).toContain('Enter your name or email address so that the shop knows who you are.');
  expect(main).toContain('Your email (optional)');
  const rejected = await customer.post(path, { do: 'pay', method: 'fps', firstName: ' ', email: '' });
  expect(rejected).toMatchObject({
    status: 400,
    main: expect.stringContaining('Enter your name or email address.'),
  });
  const paid = await customer.post(path, { do: 'pay', method: 'fps', firstName: 'Somsri', lastName: '' });
  expect(paid.status).toBe(303);
  const [charge] = await service.prisma.charge.findMany({
    where: { checkoutLinkId: link.id },
    include: { customer: true },
  });
  expect(charge).toMatchObject({
    firstName: 'Somsri',
    lastName: null,
    email: null,
    customer: { firstName: 'Somsri', email: null, phone: null },
  });
});

test('payers who enter the same name and no email remain different customers', async ({
  app,
  service,
  merchant,
}) => {
  const link = await seedCheckoutLink(service, merchant);
  for (const payer of [createPageVisitor(app.app), createPageVisitor(app.app)]) {
    await payer.post(linkPath(link), { do: 'pay', method: 'fps', firstName: 'Mei', phone: '+85251234567' });
  }
  const charges = await service.prisma.charge.findMany({ where: { checkoutLinkId: link.id } });
  expect(new Set(charges.map(({ customerId }) => customerId)).size).toBe(2);
});

test('a customer enrols with a name once, however often the form is submitted', async ({
  app,
  service,
  merchant,
  customer,
}) => {
  const plan = await seedPlan(service, merchant, { now: noon });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: merchant.merchant, mode: plan.mode, now: noon },
    input: { subscriptionPlanId: plan.id },
  });
  const path = toPath(getEnrolmentUrl(service, link));
  const list = () =>
    service.prisma.subscription.findMany({ where: { linkId: link.id }, include: { charges: true } });
  const submit = async (visitor: InjectedBrowser, firstName: string, count = 1) => {
    const { text } = await visitor.get(path);
    const [, formToken = ''] = /name="formToken" value="([\w-]+)"/.exec(text) ?? [];
    const form = { method: 'fps', firstName, formToken };
    await Promise.all(Array.from({ length: count }, () => visitor.post(path, form)));
  };
  await submit(customer, 'Mei', 3);
  const [subscription] = await list();
  expect(await list()).toMatchObject([{ firstName: 'Mei', email: null, charges: [{ firstName: 'Mei' }] }]);
  // The same browser returns and submits a new form.
  await submit(customer, 'Mei');
  expect(await list()).toMatchObject([{ id: subscription?.id, charges: [{ status: 'pending' }] }]);
  // Another customer has the same name, and another person uses the same browser.
  await submit(createPageVisitor(app.app), 'Mei');
  await submit(customer, 'Ada');
  expect((await list()).map(({ firstName }) => firstName).sort()).toEqual(['Ada', 'Mei', 'Mei']);
  await expectInvariants(service);
});

test('the subscription page offers no reminders, and refers a customer with an email to the shop', async ({
  service,
  merchant,
  customer,
}) => {
  await service.prisma.merchant.update({
    where: { id: merchant.merchant.id },
    data: { supportEmail: 'help@tea.example' },
  });
  const path = await seedManagePath(service, merchant);
  const { main, text } = await customer.get(path);
  expect(main).toContain('Bookmark this page to see and pay your invoices.');
  expect(main).toContain(
    'You can’t cancel on this page. Please ask the shop to cancel. Contact Harbour Teas',
  );
  expect(text).toContain('mailto:help@tea.example?subject=Cancel%20subscription');
  expect(main).not.toMatch(/email you|reminder/i);
  expect(text).not.toContain('value="cancel"');
  expect((await customer.post(path, { do: 'cancel' })).main).not.toContain('We’ve emailed you');
  expect(await service.prisma.message.count({ where: { kind: 'cancel-subscription' } })).toBe(0);
});

test('a customer with a phone number cancels by SMS if there is a gateway', async ({
  service,
  merchant,
  customer,
  onTestFinished,
}) => {
  const path = await seedManagePath(service, merchant, '+85251234567');
  expect((await customer.get(path)).main).toContain('You can’t cancel on this page.');
  service.settings.smsUrl = 'http://127.0.0.1:1';
  onTestFinished(() => {
    delete service.settings.smsUrl;
  });
  expect((await customer.get(path)).main).toContain('Text me a cancellation link');
  expect((await customer.post(path, { do: 'cancel' })).main).toContain('We’ve texted you a link.');
});

test('a mail program that disables reminders gets a page that promises no emails', async ({
  app,
  service,
  merchant,
}) => {
  const { payload } = await app.app.inject({
    method: 'POST',
    url: `${await seedManagePath(service, merchant)}/reminders`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  });
  expect(payload).toContain('Saved.');
  expect(payload).not.toContain('email you');
});

test('the page of a paid charge announces no receipt by email', async ({ service, merchant, customer }) => {
  await service.prisma.merchant.update({
    where: { id: merchant.merchant.id },
    data: { emailReceipts: true },
  });
  const charge = await seedCharge(service, merchant);
  await payCharge(service, merchant, charge, { now: noon });
  const { main } = await customer.get(chargePath(service, charge));
  expect(main).toContain('Payment received');
  expect(main).toContain('Print receipt');
  expect(main).not.toContain('on its way');
});
