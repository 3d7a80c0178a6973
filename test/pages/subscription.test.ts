import { expect, test } from 'vitest';
import { createCancelConfirmation } from '../../src/domain/billing/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../src/domain/billing/subscription/cancel-subscription.ts';
import { manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { readContent } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readCharges,
  readSubscription,
  seedInvoicedSubscription,
  seedPlan,
} from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import { readLastMail } from '../setup/users.ts';

const onCleanup = cleanupAfterFile();

const start = day('2026-01-31');
const clock = createFakeClock(start);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const merchant = await seedMerchant(service, {}, start);
const { get, post } = createPageVisitor(app);

const invoiced = (shop = merchant) => seedInvoicedSubscription(service, shop, clock);

test('a link that was changed, or ended, opens nothing and does nothing', async () => {
  const { id, invoicePath, managePath } = await invoiced();
  const other = await invoiced();
  const [, token = ''] = /subscription\/([^?]+)/.exec(managePath) ?? [];
  const [, ofOther = ''] = /subscription\/([^?]+)/.exec(other.managePath) ?? [];
  const signature = token.slice(token.indexOf('.'));
  const forged = [
    managePath.replace(token, ofOther.slice(0, ofOther.indexOf('.')) + signature),
    managePath.replace(token, token.slice(0, -2) + (token.endsWith('AA') ? 'BB' : 'AA')),
    managePath.replace(signature, ''),
    managePath.replace('/subscription/', '/invoice/'),
    invoicePath.replace('/invoice/', '/subscription/'),
  ];
  for (const path of forged) {
    expect((await get(path)).status).toBe(404);
    expect((await post(path, { do: 'reminders-off' })).status).toBe(404);
  }
  await service.prisma.subscription.update({ where: { id }, data: { linkVersion: { increment: 1 } } });
  expect((await get(managePath)).status).toBe(410);
  for (const subscription of [id, other.id]) {
    expect(await readSubscription(service, subscription)).toMatchObject({ remindersDisabled: false });
  }
});

test('the invoice page shows the invoice and leads to its charge, also by another method', async () => {
  const { id, invoicePath } = await invoiced();
  const page = await get(invoicePath);
  expect(page.main).toContain('For Tea of the month. Due on February 28, 2026 .');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.text).toMatch(/<title>Invoice \d+ from Harbour Teas/);
  expect(await post(invoicePath, {})).toMatchObject({
    status: 400,
    text: expect.stringMatching(/<title>There is a problem: Invoice \d+ from Harbour Teas/),
  });
  const same = await post(invoicePath, { method: 'fps' });
  expect(same.location).toMatch(/^\/checkout\?charge=/);
  expect((await readCharges(service, id)).length).toBe(2);
  await post(invoicePath, { method: 'hk-bank-transfer' });
  const charges = await readCharges(service, id);
  expect(charges.map(({ method, status }) => `${method} ${status}`).toSorted()).toEqual([
    'fps cancelled',
    'fps completed',
    'hk-bank-transfer pending',
  ]);
  await completeCharge(service, charges.find(({ status }) => status === 'pending')!, clock.now());
  expect((await get(invoicePath)).main).toContain('This invoice is paid');
});

test('an invoice that no account takes now leads to the charge that can still be paid; without one it says so', async () => {
  const shop = await seedMerchant(service, {}, start);
  const { id, invoicePath, managePath } = await invoiced(shop);
  await retireAccounts(service, { merchantId: shop.merchant.id, mode: 'live' }, clock.now());
  const page = await get(invoicePath);
  expect(page).toMatchObject({
    status: 200,
    main: expect.stringContaining('Continue paying with FPS'),
  });
  for (const path of [`${invoicePath}/pdf`, managePath]) expect(page.text).toContain(`href="${path}"`);
  expect((await get(managePath)).main).toContain('Continue paying with FPS');
  for (const path of [invoicePath, managePath]) {
    const { location } = await post(path, { do: 'pay', method: 'fps' });
    expect((await get(location)).main).toContain('Pay with FPS');
  }
  clock.set(day('2026-03-05'));
  await expireCharges(service, { now: clock.now() });
  const said = expect.stringContaining('No payment method is available right now.');
  for (const path of [invoicePath, managePath]) {
    const { status, main } = await get(path);
    expect([status, main]).toEqual([200, said]);
    expect(main).not.toContain('Continue paying');
  }
  expect(await post(invoicePath, { method: 'fps' })).toMatchObject({ status: 422, main: said });
  expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'expired']);
});

test('with a part paid, any other way to pay leads on to the charge that has it', async () => {
  const { id, invoicePath, managePath } = await invoiced();
  const pending = (await readCharges(service, id)).find(({ status }) => status === 'pending')!;
  await payCharge(service, merchant, pending, { minor: 5_000n, now: clock.now() });
  const method = 'hk-bank-transfer';
  for (const [path, act] of [
    [invoicePath, 'pay'],
    [managePath, 'pay'],
    [managePath, 'method'],
  ] as const) {
    const { status, location } = await post(path, { do: act, method });
    expect([status, location.includes(pending.id)]).toEqual([303, true]);
    expect((await get(location)).main).toContain('Still to pay');
  }
});

test('a paused subscription goes on when its invoice is paid', async () => {
  const { id, invoicePath, managePath } = await invoiced();
  clock.set(day('2026-03-15'));
  await renewSubscriptions(service, { now: clock.now() });
  expect((await get(managePath)).main).toContain('Paused: your last invoice is unpaid.');
  expect((await get(invoicePath)).main).toContain('Your subscription is paused; pay the invoice to resume.');
  await post(invoicePath, { method: 'fps' });
  const pending = (await readCharges(service, id)).filter(({ status }) => status === 'pending');
  await completeCharge(service, pending.at(-1)!, clock.now());
  expect((await get(managePath)).main).toContain('Active. The next payment is due on April 15, 2026 .');
});

test('the manage page lists invoices, changes the method, and takes a payment', async () => {
  const { id, managePath } = await invoiced();
  expect((await get(managePath)).main).toMatch(/Invoice \d+ February 28, 2026 \$100.00 HKD Unpaid/);
  const changed = await post(managePath, { do: 'method', method: 'hk-bank-transfer' });
  expect(changed.main).toContain('Your next invoice will use this payment method.');
  const { location } = await post(managePath, { do: 'pay', method: 'hk-bank-transfer' });
  expect((await get(location)).main).toContain('Hong Kong bank transfer');
  expect(await readSubscription(service, id)).toMatchObject({ method: 'hk-bank-transfer' });
});

test('cancelling asks by mail first: the link in it cancels, the page alone does not', async () => {
  const { id, email, managePath } = await invoiced();
  const asked = await post(managePath, { do: 'cancel' });
  expect(asked.main).toContain('We’ve sent you an email.');
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  await post(managePath, { do: 'confirm', confirmation: `${Date.now() * 2}.forged` });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  const mail = await readLastMail(service, email, 'cancel-subscription');
  const [, confirmation] = /confirm=([\w.%-]+)/.exec(mail!.text) ?? [];
  const confirmPath = `${managePath}?confirm=${confirmation}`;
  expect((await get(confirmPath)).main).toContain('Cancel this subscription?');
  await post(confirmPath, { do: 'confirm', confirmation: confirmation! });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'cancelled' });
  expect((await get(managePath)).main).toContain('Cancelled. Paid until February 28, 2026 .');
});

test('a link to cancel that came too late says so, and where there is a new one', async () => {
  const { id, managePath } = await invoiced();
  const subscription = await readSubscription(service, id);
  const confirmation = createCancelConfirmation(service.secrets, subscription, clock.now());
  const address = `${managePath}?confirm=${confirmation}`;
  expect((await get(address)).main).toContain('Cancel this subscription?');
  clock.advance(61 * minuteMs);
  const ended = 'The cancellation link has expired, and nothing was cancelled.';
  for (const path of [address, managePath]) {
    expect((await post(path, { do: 'confirm', confirmation })).main).toContain(ended);
  }
  const late = await get(address);
  expect([late.main.includes(ended), late.main.includes('Cancel this subscription?')]).toEqual([true, false]);
  expect((await get(managePath)).main).not.toContain(ended);
  expect((await post(address, { do: 'cancel' })).main).not.toContain(ended);
  await cancelSubscription(service, { ...subscription, actor: 'customer', now: clock.now() });
  expect((await get(address)).main).not.toContain(ended);
});

test('who gave a phone alone is asked by SMS', async () => {
  clock.set(day('2026-01-31'));
  const plan = await seedPlan(service, merchant, { now: clock.now() });
  const phone = { code: '+852', phone: '51234567' };
  const { subscription, charge } = await enrolIntoPlan(service, {
    ...{ merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: clock.now() },
    input: { subscriptionPlanId: plan.id, method: 'fps', customer: { phone } },
  });
  await completeCharge(service, charge!, clock.now());
  const managePath = toPath(manageUrl(service, subscription));
  expect((await get(managePath)).main).toContain('We’ll text you a link');
  for (let i = 0; i < 2; i++) {
    expect((await post(managePath, { do: 'cancel' })).main).toContain('We’ve sent you a text message.');
  }
  const [sms, second] = await service.prisma.message.findMany({ where: { recipient: '+85251234567' } });
  expect([sms!.channel, sms!.kind, second!.kind]).toEqual([
    'sms',
    'cancel-subscription',
    'cancel-subscription',
  ]);
  const { text } = await readContent(service, sms!);
  const confirmPath = toPath(text.match(/https?:\S+/)![0]);
  expect(confirmPath.startsWith(`${managePath}?confirm=`)).toBe(true);
  expect((await get(confirmPath)).main).toContain('Cancel this subscription?');
  const confirmation = new URLSearchParams(confirmPath.split('?')[1]).get('confirm')!;
  await post(confirmPath, { do: 'confirm', confirmation });
  expect(await readSubscription(service, subscription.id)).toMatchObject({ status: 'cancelled' });
});

test('whose details were erased is sent to the shop', async () => {
  const { id, managePath } = await invoiced();
  await service.prisma.subscription.update({ where: { id }, data: { email: null } });
  expect((await get(managePath)).main).toContain('Please ask the shop to cancel.');
  expect((await post(managePath, { do: 'cancel' })).main).not.toContain('We’ve sent you');
});

test('invoice, reminder and pause are mailed once each; who wants no reminders still gets invoices', async () => {
  const { id, email, managePath } = await invoiced();
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
  expect((await post(managePath, { do: 'reminders-off' })).main).toContain('no reminders');
  const charges = await readCharges(service, id);
  await completeCharge(service, charges.at(-1)!, clock.now());
  await renewSubscriptions(service, { now: day('2026-04-10') });
  expect((await kinds()).slice(3)).toEqual(['invoice-due']);
  expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive' });
});
