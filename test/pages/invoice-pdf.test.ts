import { extractText } from 'unpdf';
import { expect, test } from 'vitest';
import { invoicePdfUrl, invoiceUrl, manageUrl } from '../../src/domain/subscription/customer-pages.ts';
import { renewSubscriptions } from '../../src/domain/subscription/renew-subscriptions.ts';
import { updateSubscriptionPlan } from '../../src/domain/subscription-plan/update-subscription-plan.ts';
import { testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { day, makeMerchant } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';
import {
  completeCharge,
  makeActiveSubscription,
  makePlan,
  makeSubscription,
  readCharges,
  readInvoices,
  readSubscription,
} from '../setup/subscriptions.ts';

const start = day('2026-01-31');
const clock = testClock(start);
const { app, context } = await testApp({ clock });
const { service } = context;
const merchant = await makeMerchant(service, { name: 'Harbour Teas' }, start);
const pathOf = (address: string) => new URL(address).pathname + new URL(address).search;

async function makeInvoiced(email: string) {
  clock.set(start);
  const plan = await makePlan(service, merchant, { input: { sendEmail: true }, now: start });
  const { id } = await makeActiveSubscription(service, merchant, { plan, email, now: start });
  clock.set(day('2026-02-26'));
  await renewSubscriptions(service, { now: clock.now() });
  const [invoice] = await readInvoices(service, id);
  return { id, plan, invoice: invoice!, subscription: await readSubscription(service, id) };
}

async function readPdf(path: string) {
  const { statusCode, headers, rawPayload } = await app.inject({ url: path });
  if (statusCode !== 200) return { status: statusCode, text: '', headers, bytes: rawPayload };
  const { text } = await extractText(new Uint8Array(rawPayload), { mergePages: true });
  return { status: statusCode, text: text.replace(/\s+/g, ' '), headers, bytes: rawPayload };
}

test('the invoice’s page links to its document; what it was made with stays, whatever is renamed', async () => {
  const { invoice, plan } = await makeInvoiced('pdf@example.com');
  const page = await pageVisitor(app).get(pathOf(invoiceUrl(service, invoice)));
  const path = pathOf(invoicePdfUrl(service, invoice));
  expect(page.text).toContain(`href="${path}"`);
  const made = await readPdf(path);
  expect(made.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="invoice-${invoice.number}.pdf"`,
    'cache-control': 'no-store',
  });
  expect(made.text).toContain('Harbour Teas');
  expect(made.text).toContain('Tea of the month');
  expect(made.text).toContain('Total HKD 100.00');
  const input = { name: 'Coffee', orders: [{ name: 'Beans' }] };
  const options = {
    merchant: merchant.merchant,
    mode: 'live',
    id: plan.id,
    input,
    now: clock.now(),
  } as const;
  await updateSubscriptionPlan(service, options);
  expect((await readPdf(path)).bytes.equals(made.bytes)).toBe(true);
  expect((await readPdf(path.replace(/.\/pdf/, 'x/pdf'))).status).toBe(410);
});

test('who uses the pages in Chinese is written to in Chinese from then on', async () => {
  const { id, invoice } = await makeInvoiced('zh@example.com');
  const customer = pageVisitor(app);
  await customer.post(`${pathOf(invoiceUrl(service, invoice))}?lang=zh`, { method: 'fps' });
  expect(await readSubscription(service, id)).toMatchObject({ language: 'zh' });
  expect((await readPdf(pathOf(invoicePdfUrl(service, invoice)))).text).toContain('账单');
});

test('a program for mail switches reminders off with one click, in either form; the subscription goes on', async () => {
  const { id, subscription } = await makeInvoiced('one-click@example.com');
  const path = `${pathOf(manageUrl(service, subscription))}/reminders`;
  const read = () => readSubscription(service, id);
  const post = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload });
  expect((await post('something=else', 'application/x-www-form-urlencoded')).statusCode).toBe(400);
  expect(await read()).toMatchObject({ remindersOff: false });
  const opened = await app.inject({ url: path });
  expect(opened.headers.location).toBe(`${pathOf(manageUrl(service, subscription))}#reminders`);
  expect(await read()).toMatchObject({ remindersOff: false });

  const urlencoded = await post('List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded');
  expect(urlencoded).toMatchObject({ statusCode: 200 });
  expect(await read()).toMatchObject({ remindersOff: true, status: 'active' });
  await service.prisma.subscription.update({ where: { id }, data: { remindersOff: false } });
  const body =
    '--b1\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b1--\r\n';
  expect((await post(body, 'multipart/form-data; boundary=b1')).statusCode).toBe(200);
  expect(await read()).toMatchObject({ remindersOff: true, status: 'active' });
  expect(
    (await app.inject({ method: 'POST', url: path.replace('/subscription/', '/subscription/x') })).statusCode,
  ).toBe(404);
});

test('the page of a renewal’s expired charge leads to the invoice; of an enrolment’s, to the subscription', async () => {
  const { invoice, subscription } = await makeInvoiced('expired@example.com');
  const customer = pageVisitor(app);
  const invoicePath = pathOf(invoiceUrl(service, invoice));
  const { location } = await customer.post(invoicePath, { method: 'fps' });
  clock.set(day('2026-03-09'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Pay with new details');
  expect(expired.text).toContain(`href="${invoicePath}"`);
  // Somebody else with the address is not led to the customer's own pages.
  const other = await pageVisitor(app).get(location);
  expect(other.text).not.toContain(invoicePath);

  const { location: again } = await customer.post(invoicePath, { method: 'fps' });
  expect(again).not.toBe(location);
  const pending = (await readCharges(service, subscription.id)).findLast(
    ({ status }) => status === 'pending',
  );
  await completeCharge(service, pending!, clock.now());
  const paid = await customer.get(again);
  expect(paid.text).toContain(`href="${pathOf(manageUrl(service, subscription))}"`);
  expect(paid.main).not.toContain('Pay with new details');
});

test('an enrolment that was not paid in time is paid from the page of its charge', async () => {
  clock.set(start);
  const { subscription } = await makeSubscription(service, merchant, {
    email: 'late@example.com',
    now: start,
  });
  const customer = pageVisitor(app);
  const managePath = pathOf(manageUrl(service, subscription));
  const { location } = await customer.post(managePath, { do: 'pay', method: 'fps' });
  clock.set(day('2026-02-10'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Pay with new details');
  expect(expired.text).toContain(`href="${managePath}"`);
});
