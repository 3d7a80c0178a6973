import { expect, test } from 'vitest';
import { manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { day, seedMerchant } from '../setup/seed.ts';
import {
  completeCharge,
  readCharges,
  readSubscription,
  seedInvoicedSubscription,
  seedSubscription,
} from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/** What leads to a subscription's pages, and from one to another. */

const start = day('2026-01-31');
const clock = createFakeClock(start);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const merchant = await seedMerchant(service, {}, start);

const invoiced = () => seedInvoicedSubscription(service, merchant, clock);

test('a program for mail switches reminders off with one click, in either form; the subscription goes on', async () => {
  const { id, managePath } = await invoiced();
  const path = `${managePath}/reminders`;
  const read = () => readSubscription(service, id);
  const post = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload });
  expect((await post('something=else', 'application/x-www-form-urlencoded')).statusCode).toBe(400);
  expect(await read()).toMatchObject({ remindersDisabled: false });
  const opened = await app.inject({ url: path });
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
    (await app.inject({ method: 'POST', url: path.replace('/subscription/', '/subscription/x') })).statusCode,
  ).toBe(404);
});

test('the page of a renewal’s expired charge leads to the invoice; of an enrolment’s, to the subscription', async () => {
  const { subscription, invoicePath, managePath } = await invoiced();
  const customer = createPageVisitor(app);
  const { location } = await customer.post(invoicePath, { method: 'fps' });
  clock.set(day('2026-03-09'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Get new payment details');
  expect(expired.text).toContain(`href="${invoicePath}"`);
  // Somebody else with the address is not led to the customer's own pages.
  const other = await createPageVisitor(app).get(location);
  expect(other.text).not.toContain(invoicePath);

  const { location: again } = await customer.post(invoicePath, { method: 'fps' });
  expect(again).not.toBe(location);
  const pending = (await readCharges(service, subscription.id)).findLast(
    ({ status }) => status === 'pending',
  );
  await completeCharge(service, pending!, clock.now());
  const paid = await customer.get(again);
  expect(paid.text).toContain(`href="${managePath}"`);
  expect(paid.main).not.toContain('Get new payment details');
});

test('an enrolment that was not paid in time is paid from the page of its charge', async () => {
  clock.set(start);
  const { subscription } = await seedSubscription(service, merchant, {
    email: 'late@example.com',
    now: start,
  });
  const customer = createPageVisitor(app);
  const managePath = toPath(manageUrl(service, subscription));
  const { location } = await customer.post(managePath, { do: 'pay', method: 'fps' });
  clock.set(day('2026-02-10'));
  const expired = await customer.get(location);
  expect(expired.main).toContain('Get new payment details');
  expect(expired.text).toContain(`href="${managePath}"`);
});
