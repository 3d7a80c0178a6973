import { expect, test } from 'vitest';
import { expireCharges } from '../../src/domain/charge/expire-charges.ts';
import { cancelConfirmation } from '../../src/domain/subscription/cancel-confirmation.ts';
import { cancelSubscription } from '../../src/domain/subscription/cancel-subscription.ts';
import { invoiceUrl, manageUrl } from '../../src/domain/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/subscription/enrol-into-plan.ts';
import { renewSubscriptions } from '../../src/domain/subscription/renew-subscriptions.ts';
import { testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { day, makeMerchant } from '../setup/makers.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';
import {
  completeCharge,
  makeActiveSubscription,
  makePlan,
  readCharges,
  readInvoices,
  readSubscription,
} from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const start = new Date('2026-01-31T12:00:00.000Z');
const clock = testClock(start);
const { app, context } = await testApp({ clock });
const { service } = context;
const merchant = await makeMerchant(service, { name: 'Harbour Teas' }, start);
const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

const get = async (url: string) => {
  const { statusCode, body, headers } = await app.inject({ url, headers: { 'accept-language': 'en' } });
  const links = [...body.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
  return { status: statusCode, body: plain(body), headers, links };
};
const post = async (url: string, form: Record<string, string>) => {
  const { statusCode, body, headers } = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: statusCode, body: plain(body), to: String(headers.location ?? '') };
};
/** What is read, without markup. */
const plain = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

async function makeInvoiced(shop = merchant) {
  clock.set(day('2026-01-31'));
  const plan = await makePlan(service, shop, { input: { sendEmail: true }, now: clock.now() });
  const email = `ada+${plan.id}@example.com`;
  const { id } = await makeActiveSubscription(service, shop, { plan, email, now: clock.now() });
  clock.set(day('2026-02-26'));
  await renewSubscriptions(service, { now: clock.now() });
  const [invoice] = await readInvoices(service, id);
  const subscription = await readSubscription(service, id);
  return {
    id,
    email,
    invoice: invoice!,
    invoicePath: pathOf(invoiceUrl(service, invoice!)),
    managePath: pathOf(manageUrl(service, subscription)),
  };
}

/** The one mail of a kind to an address. */
async function readMail(recipient: string, kind: string): Promise<string> {
  const mail = await service.prisma.message.findFirstOrThrow({ where: { recipient, kind } });
  return service.secrets.unseal(mail.contentSealed ?? '');
}

test('a link that was changed, or ended, opens nothing and does nothing', async () => {
  const { id, invoicePath, managePath } = await makeInvoiced();
  const other = await makeInvoiced();
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
    expect([404, 410]).toContain((await get(path)).status);
    expect([404, 410]).toContain((await post(path, { do: 'reminders-off' })).status);
  }
  await service.prisma.subscription.update({ where: { id }, data: { pageGeneration: { increment: 1 } } });
  expect((await get(managePath)).status).toBe(410);
  for (const subscription of [id, other.id]) {
    expect(await readSubscription(service, subscription)).toMatchObject({ remindersOff: false });
  }
});

test('the invoice page shows the invoice and leads to its charge, also by another method', async () => {
  const { id, invoicePath } = await makeInvoiced();
  const page = await get(invoicePath);
  expect(page.body).toContain('For Tea of the month. Due on February 28, 2026 .');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.body).toMatch(/^ Invoice \d+ from Harbour Teas/);
  expect(await post(invoicePath, {})).toMatchObject({
    status: 400,
    body: expect.stringMatching(/^ There is a problem: Invoice \d+ from Harbour Teas/),
  });
  const same = await post(invoicePath, { method: 'fps' });
  expect(same.to).toMatch(/^\/checkout\?charge=/);
  expect((await readCharges(service, id)).length).toBe(2);
  await post(invoicePath, { method: 'hk-bank-transfer' });
  const charges = await readCharges(service, id);
  expect(charges.map(({ method, status }) => `${method} ${status}`).toSorted()).toEqual([
    'fps cancelled',
    'fps completed',
    'hk-bank-transfer pending',
  ]);
  await completeCharge(service, charges.find(({ status }) => status === 'pending')!, clock.now());
  expect((await get(invoicePath)).body).toContain('This invoice is paid');
});

test('an invoice that no account takes now leads to the charge that can still be paid; without one it says so', async () => {
  const shop = await makeMerchant(service, {}, start);
  const { id, invoicePath, managePath } = await makeInvoiced(shop);
  await retireAccounts(service, { merchantId: shop.merchant.id, mode: 'live' }, clock.now());
  const page = await get(invoicePath);
  expect(page).toMatchObject({
    status: 200,
    body: expect.stringContaining('Go on with your payment by FPS'),
  });
  expect(page.links).toEqual(expect.arrayContaining([`${invoicePath}/pdf`, managePath]));
  expect((await get(managePath)).body).toContain('Go on with your payment by FPS');
  for (const path of [invoicePath, managePath]) {
    const { to } = await post(path, { do: 'pay', method: 'fps' });
    expect((await get(to)).body).toContain('Pay with FPS');
  }
  clock.set(day('2026-03-05'));
  await expireCharges(service, { now: clock.now() });
  const said = expect.stringContaining('No way to pay can take this just now.');
  for (const path of [invoicePath, managePath]) {
    const { status, body } = await get(path);
    expect([status, body]).toEqual([200, said]);
    expect(body).not.toContain('Go on with your payment');
  }
  expect(await post(invoicePath, { method: 'fps' })).toMatchObject({ status: 422, body: said });
  expect((await readCharges(service, id)).map(({ status }) => status)).toEqual(['completed', 'expired']);
});

test('with a part paid, any other way to pay leads on to the charge that has it', async () => {
  const { id, invoicePath, managePath } = await makeInvoiced();
  const pending = (await readCharges(service, id)).find(({ status }) => status === 'pending')!;
  await payCharge(service, merchant, pending, { minor: 5_000n, now: clock.now() });
  const method = 'hk-bank-transfer';
  for (const [path, act] of [
    [invoicePath, 'pay'],
    [managePath, 'pay'],
    [managePath, 'method'],
  ] as const) {
    const { status, to } = await post(path, { do: act, method });
    expect([status, to.includes(pending.id)]).toEqual([303, true]);
    expect((await get(to)).body).toContain('Still to pay');
  }
});

test('a paused subscription goes on when its invoice is paid', async () => {
  const { id, invoicePath, managePath } = await makeInvoiced();
  clock.set(day('2026-03-15'));
  await renewSubscriptions(service, { now: clock.now() });
  expect((await get(managePath)).body).toContain('Paused: the last invoice is not paid.');
  expect((await get(invoicePath)).body).toContain('the subscription is paused and goes on when you pay');
  await post(invoicePath, { method: 'fps' });
  const pending = (await readCharges(service, id)).filter(({ status }) => status === 'pending');
  await completeCharge(service, pending.at(-1)!, clock.now());
  expect((await get(managePath)).body).toContain('Active. The next payment is due on April 15, 2026 .');
});

test('the manage page lists invoices, changes the method, and takes a payment', async () => {
  const { id, managePath } = await makeInvoiced();
  expect((await get(managePath)).body).toMatch(/Invoice \d+ February 28, 2026 \$100.00 HKD open/);
  const changed = await post(managePath, { do: 'method', method: 'hk-bank-transfer' });
  expect(changed.body).toContain('Your next invoice is for this way to pay.');
  const { to } = await post(managePath, { do: 'pay', method: 'hk-bank-transfer' });
  expect((await get(to)).body).toContain('Hong Kong bank transfer');
  expect(await readSubscription(service, id)).toMatchObject({ method: 'hk-bank-transfer' });
});

test('cancelling asks by mail first: the link in it cancels, the page alone does not', async () => {
  const { id, email, managePath } = await makeInvoiced();
  const asked = await post(managePath, { do: 'cancel' });
  expect(asked.body).toContain('We have sent you a mail.');
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  await post(managePath, { do: 'confirm', confirmation: `${Date.now() * 2}.forged` });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'active' });
  const content = await readMail(email, 'cancel-subscription');
  const [, confirmation] = /confirm=([\w.%-]+)/.exec(content) ?? [];
  const confirmPath = `${managePath}?confirm=${confirmation}`;
  expect((await get(confirmPath)).body).toContain('Cancel this subscription?');
  await post(confirmPath, { do: 'confirm', confirmation: confirmation! });
  expect(await readSubscription(service, id)).toMatchObject({ status: 'cancelled' });
  expect((await get(managePath)).body).toContain('Cancelled. It is paid for until February 28, 2026 .');
});

test('a link to cancel that came too late says so, and where there is a new one', async () => {
  const { id, managePath } = await makeInvoiced();
  const subscription = await readSubscription(service, id);
  const confirmation = cancelConfirmation(service.secrets, subscription, clock.now());
  const address = `${managePath}?confirm=${confirmation}`;
  expect((await get(address)).body).toContain('Cancel this subscription?');
  clock.pass(61 * 60_000);
  const ended = 'The link to cancel has ended, and nothing was cancelled.';
  for (const path of [address, managePath]) {
    expect((await post(path, { do: 'confirm', confirmation })).body).toContain(ended);
  }
  const late = await get(address);
  expect([late.body.includes(ended), late.body.includes('Cancel this subscription?')]).toEqual([true, false]);
  expect((await get(managePath)).body).not.toContain(ended);
  expect((await post(address, { do: 'cancel' })).body).not.toContain(ended);
  await cancelSubscription(service, { ...subscription, actor: 'customer', now: clock.now() });
  expect((await get(address)).body).not.toContain(ended);
});

test('who gave a phone alone is asked by SMS', async () => {
  clock.set(day('2026-01-31'));
  const plan = await makePlan(service, merchant, { now: clock.now() });
  const phone = { code: '+852', phone: '51234567' };
  const { subscription } = await enrolIntoPlan(service, {
    ...{ merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: clock.now() },
    input: { subscriptionPlanId: plan.id, method: 'fps', customer: { phone } },
  });
  const managePath = pathOf(manageUrl(service, subscription));
  expect((await get(managePath)).body).toContain('We send you an SMS with a link');
  for (let i = 0; i < 2; i++) {
    expect((await post(managePath, { do: 'cancel' })).body).toContain('We have sent you an SMS.');
  }
  const [sms, second] = await service.prisma.message.findMany({ where: { recipient: '+85251234567' } });
  expect([sms!.channel, sms!.kind, second]).toEqual(['sms', 'cancel-subscription', undefined]);
  const text: string = JSON.parse(service.secrets.unseal(sms!.contentSealed!)).text;
  const confirmPath = pathOf(text.match(/https?:\S+/)![0]);
  expect(confirmPath.startsWith(`${managePath}?confirm=`)).toBe(true);
  expect((await get(confirmPath)).body).toContain('Cancel this subscription?');
  const confirmation = new URLSearchParams(confirmPath.split('?')[1]).get('confirm')!;
  await post(confirmPath, { do: 'confirm', confirmation });
  expect(await readSubscription(service, subscription.id)).toMatchObject({ status: 'cancelled' });
});

test('whose details were erased is sent to the shop', async () => {
  const { id, managePath } = await makeInvoiced();
  await service.prisma.subscription.update({ where: { id }, data: { email: null } });
  expect((await get(managePath)).body).toContain('Please ask the shop to cancel.');
  expect((await post(managePath, { do: 'cancel' })).body).not.toContain('We have sent you');
});

test('invoice, reminder and pause are mailed once each; who wants no reminders still gets invoices', async () => {
  const { id, email, managePath } = await makeInvoiced();
  expect(await readMail(email, 'invoice-due')).toContain('Your next payment to Harbour Teas');
  await renewSubscriptions(service, { now: day('2026-02-28') });
  await renewSubscriptions(service, { now: day('2026-03-01') });
  const kinds = async () =>
    (await service.prisma.message.findMany({ where: { recipient: email }, orderBy: { id: 'asc' } })).map(
      ({ kind }) => kind,
    );
  expect(await kinds()).toEqual(['invoice-due', 'invoice-reminder', 'invoice-paused']);
  clock.set(day('2026-03-05'));
  expect((await post(managePath, { do: 'reminders-off' })).body).toContain('no reminders');
  const charges = await readCharges(service, id);
  await completeCharge(service, charges.at(-1)!, clock.now());
  await renewSubscriptions(service, { now: day('2026-04-10') });
  expect((await kinds()).slice(3)).toEqual(['invoice-due']);
  expect(await readSubscription(service, id)).toMatchObject({ status: 'inactive' });
});
