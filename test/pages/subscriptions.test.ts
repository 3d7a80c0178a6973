import { extractText } from 'unpdf';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { getInvoicePdfUrl, getInvoiceUrl } from '../../src/domain/billing/invoice/invoice-url.ts';
import { createCancelConfirmation } from '../../src/domain/billing/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { changeSubscriptionTerms } from '../../src/domain/billing/subscription/change-subscription-terms.ts';
import { getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { pauseSubscription } from '../../src/domain/billing/subscription/pause-subscription.ts';
import { replaceSubscriptionLinks } from '../../src/domain/billing/subscription/replace-subscription-links.ts';
import { updateSubscriptionPlan } from '../../src/domain/billing/subscription-plan/update-subscription-plan.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { toPath } from '../../src/pages/to-path.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import type { FakeClock } from '../setup/fake-clock.ts';
import { readContent } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import { withMessageServers } from '../setup/service.ts';
import {
  completeCharge,
  readCharges,
  readInvoices,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
  seedSubscription,
} from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import { readLastMail } from '../setup/users.ts';

const start = day('2026-01-31');
const test = appTest
  .extend('service', { scope: 'file' }, ({ app }) => withMessageServers(app.context.service))
  .extend('clock', ({ fileClock }) => {
    fileClock.set(start);
    return fileClock;
  })
  .extend('customer', ({ app }) => createPageVisitor(app.app));

async function readPdf(app: TestApp, path: string) {
  const { statusCode, headers, rawPayload } = await app.app.inject({ url: path });
  if (statusCode !== 200) return { status: statusCode, text: '', headers, bytes: rawPayload };
  const { text } = await extractText(new Uint8Array(rawPayload), { mergePages: true });
  return { status: statusCode, text: text.replace(/\s+/g, ' '), headers, bytes: rawPayload };
}

test('forged and revoked links open no page and change nothing', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, invoicePath, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const other = await seedInvoicedSubscription(service, merchant, clock);
  const [, token = ''] = /subscription\/([^?]+)/.exec(managePath) ?? [];
  const [, otherToken = ''] = /subscription\/([^?]+)/.exec(other.managePath) ?? [];
  const signature = token.slice(token.indexOf('.'));
  const forged = [
    managePath.replace(token, otherToken.slice(0, otherToken.indexOf('.')) + signature),
    managePath.replace(token, token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')),
    managePath.replace(signature, ''),
    managePath.replace('/subscription/', '/invoice/'),
    invoicePath.replace('/invoice/', '/subscription/'),
  ];
  for (const path of forged) {
    expect((await customer.get(path)).status).toBe(404);
    expect((await customer.post(path, { do: 'reminders-off' })).status).toBe(404);
  }
  for (const subscription of [id, other.id]) {
    expect(await readSubscription(service, subscription)).toMatchObject({ remindersDisabled: false });
  }
});

test('replaced links lead to a page that says so, and the new links open the same pages', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, invoicePath, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const subscription = await replaceSubscriptionLinks(service, toMerchantChange(merchant, id, clock));
  for (const path of [managePath, invoicePath, `${invoicePath}/pdf`]) {
    const page = await customer.get(path);
    expect([page.status, page.text]).toEqual([410, expect.stringContaining('A newer link has replaced it.')]);
  }
  expect((await customer.post(managePath, { do: 'reminders-off' })).status).toBe(410);
  const page = await customer.get(toPath(getManageUrl(service, subscription)));
  expect(page.status).toBe(200);
  const [, newInvoicePath = ''] = /href="(\/pay\/invoice\/[^"]+)"/.exec(page.text) ?? [];
  expect(newInvoicePath).not.toBe(invoicePath);
  expect((await customer.get(newInvoicePath)).status).toBe(200);
});

test('the invoice page displays the invoice and redirects to its charge, by any method', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, invoicePath } = await seedInvoicedSubscription(service, merchant, clock);
  const page = await customer.get(invoicePath);
  expect(page.main).toContain('For Tea of the month. Due on 28 February 2026 .');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.text).toMatch(/<title>Invoice \d+ from Harbour Teas/);
  expect(await customer.post(invoicePath, {})).toMatchObject({
    status: 400,
    text: expect.stringMatching(/<title>There is a problem: Invoice \d+ from Harbour Teas/),
  });
  const same = await customer.post(invoicePath, { method: 'fps' });
  expect(same.location).toMatch(/^\/checkout\?charge=/);
  expect((await readCharges(service, id)).length).toBe(2);
  await customer.post(invoicePath, { method: 'hk-bank-transfer' });
  const charges = await readCharges(service, id);
  expect(charges.map(({ method, status }) => `${method} ${status}`).toSorted()).toEqual([
    'fps cancelled',
    'fps completed',
    'hk-bank-transfer pending',
  ]);
  await completeCharge(service, charges.find(({ status }) => status === 'pending')!, clock.now());
  expect((await customer.get(invoicePath)).main).toContain('This invoice is paid');
});

test('an invoice without an active account redirects to its pending charge, or displays that it cannot be paid', async ({
  service,
  clock,
  customer,
}) => {
  const shop = await seedMerchant(service, {}, start);
  const { id, invoicePath, managePath } = await seedInvoicedSubscription(service, shop, clock);
  await retireAccounts(service, { merchantId: shop.merchant.id, mode: 'live' }, clock.now());
  const page = await customer.get(invoicePath);
  expect(page).toMatchObject({
    status: 200,
    main: expect.stringContaining('Continue paying with FPS'),
  });
  for (const path of [`${invoicePath}/pdf`, managePath]) expect(page.text).toContain(`href="${path}"`);
  expect((await customer.get(managePath)).main).toContain('Continue paying with FPS');
  for (const path of [invoicePath, managePath]) {
    const { location } = await customer.post(path, { do: 'pay', method: 'fps' });
    const { main: payPage } = await customer.get(location);
    expect(payPage).toContain('Pay with FPS');
    // The plan has no order lines.
    expect(payPage).toContain('Tea of the month');
  }
  clock.set(day('2026-03-05'));
  await expireCharges(service, { now: clock.now() });
  const notice = expect.stringContaining('No payment method is available right now.');
  for (const path of [invoicePath, managePath]) {
    const { status, main } = await customer.get(path);
    expect([status, main]).toEqual([200, notice]);
    expect(main).not.toContain('Continue paying');
  }
  expect(await customer.post(invoicePath, { method: 'fps' })).toMatchObject({ status: 422, main: notice });
  expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'expired']);
});

test('after a part payment, every method redirects to the charge that has it', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, invoicePath, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const pending = (await readCharges(service, id)).find(({ status }) => status === 'pending')!;
  await payCharge(service, merchant, pending, { minor: 5_000n, now: clock.now() });
  const method = 'hk-bank-transfer';
  for (const [path, action] of [
    [invoicePath, 'pay'],
    [managePath, 'pay'],
    [managePath, 'method'],
  ] as const) {
    const { status, location } = await customer.post(path, { do: action, method });
    expect([status, location.includes(pending.id)]).toEqual([303, true]);
    expect((await customer.get(location)).main).toContain('Still to pay');
  }
});

test('a paused subscription resumes when its invoice is paid', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, invoicePath, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  clock.set(day('2026-03-15'));
  await renewSubscriptions(service, { now: clock.now() });
  expect((await customer.get(managePath)).main).toContain('Paused: your last invoice is unpaid.');
  expect((await customer.get(invoicePath)).main).toContain(
    'Your subscription is paused; pay this invoice to resume it.',
  );
  await customer.post(invoicePath, { method: 'fps' });
  const pending = (await readCharges(service, id)).filter(({ status }) => status === 'pending');
  await completeCharge(service, pending.at(-1)!, clock.now());
  expect((await customer.get(managePath)).main).toContain(
    'Active. The next payment is due on 15 April 2026 .',
  );
});

test('the manage page lists invoices, changes the method, and starts a payment', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  expect((await customer.get(managePath)).main).toMatch(/Invoice \d+ 28 February 2026 HK\$100\.00 Unpaid/);
  const changed = await customer.post(managePath, { do: 'method', method: 'hk-bank-transfer' });
  expect(changed.main).toContain('Your next invoice will use this payment method.');
  const { location } = await customer.post(managePath, { do: 'pay', method: 'hk-bank-transfer' });
  expect((await customer.get(location)).main).toContain('Hong Kong bank transfer');
  expect(await readSubscription(service, id)).toMatchObject({ method: 'hk-bank-transfer' });
});

test('the manage page offers the amount of the open invoice after the price was raised', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const change = toMerchantChange(merchant, id, clock);
  await changeSubscriptionTerms(service, { ...change, input: { amount: '200' } });
  const { text } = await customer.get(managePath);
  const [methods = ''] = /<fieldset id="methods"[\s\S]*<\/fieldset>/.exec(text) ?? [];
  expect(methods).toContain('100.00');
  expect(methods).not.toContain('200.00');
});

test('paying a subscription that was paused since the page was loaded displays that it is paused', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  await pauseSubscription(service, toMerchantChange(merchant, id, clock));
  const { status, main } = await customer.post(managePath, { do: 'pay', method: 'fps' });
  expect(status).toBe(200);
  expect(main).toContain('Paused by the shop');
  expect(main).not.toContain('There is a problem');
});

test('cancelling requires a confirmation by the link in an email', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, email, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const requested = await customer.post(managePath, { do: 'cancel' });
  expect(requested.main).toContain('We’ve emailed you a link.');
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  await customer.post(managePath, { do: 'confirm', confirmation: `${Date.now() * 2}.forged` });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  const mail = await readLastMail(service, email, 'cancel-subscription');
  const [, confirmation] = /confirm=([\w.%-]+)/.exec(mail!.text) ?? [];
  const confirmPath = `${managePath}?confirm=${confirmation}`;
  expect((await customer.get(confirmPath)).main).toContain('Cancel this subscription?');
  await customer.post(confirmPath, { do: 'confirm', confirmation: confirmation! });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'cancelled' });
  expect((await customer.get(managePath)).main).toContain('Cancelled. Active until 28 February 2026 .');
});

test('an expired cancellation link displays that it has expired, until a new one is requested', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const subscription = await readSubscription(service, id);
  const confirmation = createCancelConfirmation(service.secrets, subscription, clock.now());
  const address = `${managePath}?confirm=${confirmation}`;
  expect((await customer.get(address)).main).toContain('Cancel this subscription?');
  clock.advance(61 * minuteMs);
  const ended = 'The cancellation link has expired, and nothing was cancelled.';
  for (const path of [address, managePath]) {
    expect((await customer.post(path, { do: 'confirm', confirmation })).main).toContain(ended);
  }
  const late = await customer.get(address);
  expect([late.main.includes(ended), late.main.includes('Cancel this subscription?')]).toEqual([true, false]);
  expect((await customer.get(managePath)).main).not.toContain(ended);
  expect((await customer.post(address, { do: 'cancel' })).main).not.toContain(ended);
  await cancelSubscription(service, { ...subscription, actor: 'customer', now: clock.now() });
  expect((await customer.get(address)).main).not.toContain(ended);
});

test('a customer with only a phone number confirms by SMS', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  clock.set(day('2026-01-31'));
  const plan = await seedPlan(service, merchant, { now: clock.now() });
  const phone = { code: '+852', phone: '51234567' };
  const { subscription, charge } = await enrolIntoPlan(service, {
    ...{ merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: clock.now() },
    input: { subscriptionPlanId: plan.id, method: 'fps', customer: { phone } },
  });
  await completeCharge(service, charge!, clock.now());
  const managePath = toPath(getManageUrl(service, subscription));
  expect((await customer.get(managePath)).main).toContain('We’ll text you a link');
  for (let i = 0; i < 2; i++) {
    expect((await customer.post(managePath, { do: 'cancel' })).main).toContain('We’ve texted you a link.');
  }
  const [sms, second] = await service.prisma.message.findMany({ where: { recipient: '+85251234567' } });
  expect([sms!.channel, sms!.kind, second!.kind]).toEqual([
    'sms',
    'cancel-subscription',
    'cancel-subscription',
  ]);
  const { text } = await readContent(service, sms!);
  const shortPath = toPath(text.match(/https?:\S+/)![0]);
  expect(shortPath).toMatch(/^\/pay\/c\/[\w.-]{49,51}$/);
  expect((await customer.get(`${shortPath}x`)).status).toBe(404);
  await service.prisma.subscription.update({ where: { id: subscription.id }, data: { linkVersion: 1 } });
  const replaced = await customer.get(shortPath);
  expect([replaced.status, replaced.main.includes('A newer link has replaced it.')]).toEqual([410, true]);
  await service.prisma.subscription.update({ where: { id: subscription.id }, data: { linkVersion: 0 } });
  const { location: confirmPath } = await customer.get(shortPath);
  expect(confirmPath.startsWith(`${managePath}?confirm=`)).toBe(true);
  expect((await customer.get(confirmPath)).main).toContain('Cancel this subscription?');
  const confirmation = new URLSearchParams(confirmPath.split('?')[1]).get('confirm')!;
  await customer.post(confirmPath, { do: 'confirm', confirmation });
  expect(await readSubscription(service, subscription.id)).toMatchObject({ status: 'cancelled' });
});

test('a customer whose details were erased is referred to the shop', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  await service.prisma.subscription.update({ where: { id }, data: { email: null } });
  expect((await customer.get(managePath)).main).toContain('Please ask the shop to cancel.');
  expect((await customer.post(managePath, { do: 'cancel' })).main).not.toContain('We’ve emailed you');
});

test('one email each is sent for invoice, reminder and pause, and only invoices once reminders are disabled', async ({
  service,
  clock,
  customer,
  merchant,
}) => {
  const { id, email, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  expect((await readLastMail(service, email, 'invoice-due'))?.text).toContain(
    'Your next payment to Harbour Teas',
  );
  await renewSubscriptions(service, { now: day('2026-02-28') });
  await renewSubscriptions(service, { now: day('2026-03-01') });
  const kinds = async () =>
    (await service.prisma.message.findMany({ where: { recipient: email }, orderBy: { id: 'asc' } })).map(
      ({ kind }) => kind,
    );
  expect(await kinds()).toEqual(['invoice-due', 'invoice-reminder', 'invoice-paused']);
  clock.set(day('2026-03-05'));
  expect((await customer.post(managePath, { do: 'reminders-off' })).main).toContain('no reminders');
  const charges = await readCharges(service, id);
  await completeCharge(service, charges.at(-1)!, clock.now());
  await renewSubscriptions(service, { now: day('2026-04-10') });
  // The unsent emails about the paid invoice were deleted.
  expect(await kinds()).toEqual(['invoice-due']);
  expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive' });
});

test('a mail program disables reminders with one click, in either encoding, and the subscription continues', async ({
  app,
  service,
  clock,
  merchant,
}) => {
  const { id, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const path = `${managePath}/reminders`;
  const read = () => readSubscription(service, id);
  const post = (payload: string, type: string) =>
    app.app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload });
  expect((await post('something=else', 'application/x-www-form-urlencoded')).statusCode).toBe(400);
  expect(await read()).toMatchObject({ remindersDisabled: false });
  const opened = await app.app.inject({ url: path });
  expect(opened.headers.location).toBe(`${managePath}#reminders`);
  expect(await read()).toMatchObject({ remindersDisabled: false });

  const urlencoded = await post('List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded');
  expect(urlencoded).toMatchObject({ statusCode: 200 });
  expect(await read()).toMatchObject({ remindersDisabled: true, status: 'active' });
  await service.prisma.subscription.update({ where: { id }, data: { remindersDisabled: false } });
  const body =
    '--b1\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b1--\r\n';
  expect((await post(body, 'multipart/form-data; boundary=b1')).statusCode).toBe(200);
  expect(await read()).toMatchObject({ remindersDisabled: true, status: 'active' });
  expect(
    (await app.app.inject({ method: 'POST', url: path.replace('/subscription/', '/subscription/x') }))
      .statusCode,
  ).toBe(404);
});

test('the page of a renewal’s expired charge links to the invoice, and to the subscription once paid', async ({
  app,
  service,
  clock,
  merchant,
}) => {
  const { subscription, invoicePath, managePath } = await seedInvoicedSubscription(service, merchant, clock);
  const customer = createPageVisitor(app.app);
  const { location } = await customer.post(invoicePath, { method: 'fps' });
  clock.set(day('2026-03-09'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Get new payment details');
  expect(expired.text).toContain(`href="${invoicePath}"`);
  // Other visitors do not get links to the customer's own pages.
  const other = await createPageVisitor(app.app).get(location);
  expect(other.text).not.toContain(invoicePath);

  const { location: repeated } = await customer.post(invoicePath, { method: 'fps' });
  expect(repeated).not.toBe(location);
  const pending = (await readCharges(service, subscription.id)).findLast(
    ({ status }) => status === 'pending',
  );
  await completeCharge(service, pending!, clock.now());
  const paid = await customer.get(repeated);
  expect(paid.text).toContain(`href="${managePath}"`);
  expect(paid.main).not.toContain('Get new payment details');
});

test('the page of an enrolment’s expired charge links to the subscription', async ({
  app,
  service,
  clock,
  merchant,
}) => {
  clock.set(start);
  const { subscription } = await seedSubscription(service, merchant, {
    email: 'late@example.com',
    now: start,
  });
  const customer = createPageVisitor(app.app);
  const managePath = toPath(getManageUrl(service, subscription));
  const { location } = await customer.post(managePath, { do: 'pay', method: 'fps' });
  clock.set(day('2026-02-10'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Get new payment details');
  expect(expired.text).toContain(`href="${managePath}"`);
});

describe('invoice document', () => {
  test('is linked from the invoice page, and does not change when the plan is renamed', async ({
    app,
    service,
    clock,
    merchant,
  }) => {
    const { invoice, invoicePath, plan } = await seedInvoicedSubscription(service, merchant, clock);
    const page = await createPageVisitor(app.app).get(invoicePath);
    const path = toPath(getInvoicePdfUrl(service, invoice));
    expect(page.text).toContain(`href="${path}"`);
    const pdf = await readPdf(app, path);
    expect(pdf.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="invoice-${invoice.number}.pdf"`,
      'cache-control': 'no-store',
    });
    expect(pdf.text).toContain('Harbour Teas');
    expect(pdf.text).toContain('Tea of the month');
    expect(pdf.text).toContain('Total HK$100.00');
    const input = { name: 'Coffee', orders: [{ name: 'Beans' }] };
    const options = {
      merchant: merchant.merchant,
      mode: 'live',
      id: plan.id,
      input,
      now: clock.now(),
    } as const;
    await updateSubscriptionPlan(service, options);
    expect((await readPdf(app, path)).bytes.equals(pdf.bytes)).toBe(true);
    expect((await readPdf(app, path.replace(/.\/pdf/, 'x/pdf'))).status).toBe(404);
  });

  test('is in the language of the customer’s last visit', async ({ app, service, clock, merchant }) => {
    const { id, invoice, invoicePath } = await seedInvoicedSubscription(service, merchant, clock);
    const customer = createPageVisitor(app.app);
    await customer.post(`${invoicePath}?lang=zh`, { method: 'fps' });
    expect(await readSubscription(service, id)).toMatchObject({ language: 'zh' });
    expect((await readPdf(app, toPath(getInvoicePdfUrl(service, invoice)))).text).toContain('账单');
  });
});

/** The options of a change by a user of the merchant. */
function toMerchantChange({ merchant }: NewMerchant, id: string, clock: FakeClock) {
  const [actor, now] = ['user:usr_1', clock.now()];
  return { merchantId: merchant.id, mode: 'live' as const, id, actor, now, audit: { actor, now } };
}

/**
 * Creates a subscription with emails whose first payment was on 31 January 2026 and whose invoice of 28 February is
 * open. Sets the clock to 26 February.
 */
async function seedInvoicedSubscription(service: Service, merchant: NewMerchant, clock: FakeClock) {
  clock.set(day('2026-01-31'));
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: clock.now() });
  const email = `ada+${plan.id}@example.com`;
  const { id } = await seedActiveSubscription(service, merchant, { plan, email, now: clock.now() });
  clock.set(day('2026-02-26'));
  await renewSubscriptions(service, { now: clock.now() });
  const [invoice] = await readInvoices(service, id);
  const subscription = await readSubscription(service, id);
  return {
    ...{ id, email, plan, subscription },
    invoice: invoice!,
    invoicePath: toPath(getInvoiceUrl(service, invoice!)),
    managePath: toPath(getManageUrl(service, subscription)),
  };
}
