import { beforeEach, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { processResetRequests } from '../../src/domain/accounts/user/process-reset-requests.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { enrolmentUrl, manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { requestCancellation } from '../../src/domain/billing/subscription/request-cancellation.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import { sha256 } from '../../src/kit/secrets.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { getErrorCode } from '../setup/errors.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { day, minutesAfter, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { readSubscription, seedActiveSubscription, seedPlan } from '../setup/subscriptions.ts';
import { readLinkToken } from '../setup/users.ts';

const onCleanup = cleanupAfterFile();

/** Finding 7: nobody can have the service send a person more than a few mails, and no real mail is lost to an attack. */

const start = day('2026-01-31');
const clock = createFakeClock(start);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const victim = 'victim@example.org';
const free = { sendEmail: true, initialPayment: { amount: 0, period: 'days' as const, count: 14 } };

let merchant: NewMerchant;

beforeEach(async () => {
  clock.set(start);
  await service.prisma.message.deleteMany();
  merchant = await seedMerchant(service, {}, start);
});

async function makeLink(input = {}, shop = merchant): Promise<string> {
  const plan = await seedPlan(service, shop, { input, now: start });
  const link = await createSubscriptionLink(service, {
    ...{ merchant: shop.merchant, mode: plan.mode, now: start },
    input: { subscriptionPlanId: plan.id },
  });
  return toPath(enrolmentUrl(service, link));
}

/** A new browser enrols an address: no cookie and no form connects it with earlier ones. */
async function enrol(path: string, email = victim) {
  const visitor = createPageVisitor(app);
  const visit = await visitor.post(path, { method: 'fps', email });
  const newest = await service.prisma.subscription.findFirst({
    where: { email },
    orderBy: { id: 'desc' },
  });
  const isFree = visit.location.startsWith('/pay/subscription/');
  return { visit, manage: isFree ? visit.location : newest && toPath(manageUrl(service, newest)) };
}

const mails = (where: object = {}) =>
  service.prisma.message.findMany({ where: { channel: 'email', ...where }, orderBy: { id: 'asc' } });

async function makeFree(options: { email?: string; shop?: NewMerchant } = {}) {
  const { email = victim, shop = merchant } = options;
  const { manage } = await enrol(await makeLink(free, shop), email);
  return manage!;
}

test('unpaid enrolments are bounded, and cancelled on their page at once without a mail', async () => {
  const path = await makeLink();
  for (let n = 0; n < 5; n++) {
    clock.set(minutesAfter(start, n));
    const { visit, manage } = await enrol(path);
    expect(visit.status).toBe(303);
    expect((await createPageVisitor(app).get(manage!)).main).toContain(
      'so this cancels the subscription immediately',
    );
    const cancelled = await createPageVisitor(app).post(manage!, { do: 'cancel' });
    expect([cancelled.status, cancelled.main]).toEqual([200, expect.stringContaining('Cancelled')]);
  }
  clock.set(minutesAfter(start, 10));
  const { visit } = await enrol(path);
  expect(visit).toMatchObject({ status: 429, headers: { 'retry-after': String(50 * 60) } });
  expect((await enrol(path, 'other@example.org')).visit.status).toBe(303);
  const rows = await service.prisma.subscription.findMany({ where: { email: victim } });
  expect(rows.map(({ status }) => status)).toEqual(Array(5).fill('cancelled'));
  expect(await mails()).toEqual([]);
  clock.set(minutesAfter(start, 60));
  expect((await enrol(path)).visit.status).toBe(303);
});

test('an enrolment whose charge has received a part is not cancelled without a confirmation', async () => {
  const { manage } = await enrol(await makeLink());
  const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
  await service.prisma.charge.update({ where: { id: charge.id }, data: { amountReceived: 1n } });
  expect((await createPageVisitor(app).post(manage!, { do: 'cancel' })).main).toContain(
    'We’ve sent you an email.',
  );
  expect(await readSubscription(service, charge.subscriptionId!)).toMatchObject({ status: 'inactive' });
});

test('confirmations go to one mailbox five times an hour, over all merchants and spellings of its address', async () => {
  const pages = [
    await makeFree(),
    await makeFree({ email: 'Victim@Example.ORG' }),
    await makeFree({ email: 'victim+1@example.org' }),
    await makeFree({ shop: await seedMerchant(service, {}, start) }),
  ];
  const cancel = (page: string) => createPageVisitor(app).post(page, { do: 'cancel' });
  for (const page of [...pages, pages[0]!])
    expect((await cancel(page)).main).toContain('We’ve sent you an email');
  for (const page of pages) expect(await cancel(page)).toMatchObject({ status: 429 });
  expect((await cancel(pages[0]!)).headers['retry-after']).toBe(String(60 * 60));
  expect((await mails()).length).toBe(5);
  expect((await cancel(await makeFree({ email: 'other@example.org' }))).status).toBe(200);
});

test('concurrent requests for confirmations never exceed the limit', async () => {
  for (let round = 0; round < count(3, 30); round++) {
    const email = `round${round}@example.org`;
    for (let n = 0; n < 4; n++) await makeFree({ email });
    const subscriptions = await service.prisma.subscription.findMany({ where: { email } });
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        requestCancellation(service, {
          ...subscriptions[n % 4]!,
          ...{ merchant: merchant.merchant, actor: 'customer', now: start, machineNow: start },
        }).catch(getErrorCode),
      ),
    );
    expect(results.filter((result) => result === 'email')).toHaveLength(5);
    expect(results.filter((result) => result === 'rate_limited')).toHaveLength(19);
  }
});

test('an attack on an address loses none of the mails of a subscription that is paid for', async () => {
  const email = 'attacked@example.org';
  const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: start });
  await seedActiveSubscription(service, merchant, { plan, email, now: start });
  const shops = [merchant, await seedMerchant(service, {}, start), await seedMerchant(service, {}, start)];
  for (const shop of shops) {
    const path = await makeLink({ ...free, initialPayment: { amount: 0, period: 'months', count: 1 } }, shop);
    for (let n = 0; n < 5; n++) {
      const { manage } = await enrol(path, email);
      await createPageVisitor(app).post(manage!, { do: 'cancel' });
    }
  }
  const now = day('2026-02-26');
  await renewSubscriptions(service, { now });
  const invoices = await mails({ kind: 'invoice-due', recipient: email });
  expect(invoices).toHaveLength(16);
  const skipped = invoices.filter(({ status }) => status === 'skipped');
  expect(skipped).toHaveLength(10);
  for (const one of skipped) {
    expect(one).toMatchObject({
      contentEncrypted: null,
      lastError: 'At most 5 messages of this kind per hour can be sent to one recipient',
      finishedAt: now,
    });
  }
  const paid = invoices.filter(
    ({ recipientLimitKey, status }) => status === 'pending' && recipientLimitKey === null,
  );
  expect(paid).toHaveLength(1);
});

test('requests for a new password skip mails beyond five an hour and leave the link mailed last valid', async () => {
  const { email } = merchant;
  for (let n = 0; n < 8; n++) {
    await service.prisma.passwordResetRequest.create({
      data: { email, ipAddress: '203.0.113.7', createdAt: start },
    });
    await processResetRequests(service, { now: minutesAfter(start, n) });
  }
  const sent = await mails({ kind: 'password-reset' });
  expect(sent.map(({ status }) => status)).toEqual([
    ...Array(5).fill('pending'),
    ...Array(3).fill('skipped'),
  ]);
  await service.prisma.message.deleteMany({ where: { status: 'skipped' } });
  const token = await readLinkToken(service, email, 'password-reset');
  const { id: userId } = await service.prisma.merchantUser.findFirstOrThrow({ where: { email } });
  expect(await service.prisma.passwordReset.findUnique({ where: { userId } })).toMatchObject({
    tokenHash: sha256(token),
  });
});

test('refunds beyond the limit of their mails are created, and the skipped mail says why', async () => {
  const charge = await seedCompletedCharge(service, merchant, { now: start });
  for (let n = 0; n < 22; n++) {
    await createRefund(service, {
      ...{ merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'key:test', now: start },
      input: { chargeId: charge.id, customerAmount: 1 },
    });
  }
  expect(await service.prisma.refund.count({ where: { chargeId: charge.id } })).toBe(22);
  const links = await mails({ kind: 'refund-link' });
  expect(links.filter(({ status }) => status === 'captured')).toHaveLength(20);
  expect(links.filter(({ status }) => status === 'skipped')).toHaveLength(2);
});

test('nothing above has broken a promise of the database', async () => {
  await service.prisma.charge.updateMany({ where: { amountReceived: 1n }, data: { amountReceived: 0n } });
  await expectInvariants(service);
});
