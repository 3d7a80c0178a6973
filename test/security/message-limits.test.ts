import { describe, expect } from 'vitest';
import type { Subscription } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { processResetRequests } from '../../src/domain/accounts/user/reset-password.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { getEnrolmentUrl, getManageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { requestCancellation } from '../../src/domain/billing/subscription/request-cancellation.ts';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { sha256 } from '../../src/kit/secrets.ts';
import { toPath } from '../../src/pages/to-path.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { count } from '../setup/counts.ts';
import { getErrorCode } from '../setup/errors.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { seedSms } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { day, minutesAfter, noon, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { withMessageServers } from '../setup/service.ts';
import {
  completeCharge,
  readSubscription,
  seedActiveSubscription,
  seedPlan,
} from '../setup/subscriptions.ts';
import { readLinkToken } from '../setup/users.ts';

const messageTest = appTest.extend('service', { scope: 'file' }, ({ app }) =>
  withMessageServers(app.context.service),
);

describe('SMS', () => {
  const test = messageTest
    .extend('merchant', async ({ service }) => {
      await service.prisma.message.deleteMany();
      return seedMerchant(service);
    })
    .extend('visitor', ({ app }) => createPageVisitor(app.app));

  const mobile = { code: '+852', phone: '51234567' };
  const expensive = [
    { code: '+44', phone: '9098790000' },
    { code: '+1', phone: '9002345678' },
    { code: '+252', phone: '61234567' },
    { code: '+371', phone: '90012345' },
    { code: '+882', phone: '1312345678' },
    { code: '+852', phone: '21234567' },
  ];

  async function enrol(service: Service, merchant: NewMerchant, customer: object) {
    const plan = await seedPlan(service, merchant, { now: noon });
    return enrolIntoPlan(service, {
      ...{ merchant: merchant.merchant, mode: 'live', actor: 'key:test', now: noon },
      input: { subscriptionPlanId: plan.id, method: 'fps', customer },
    });
  }

  /** A subscription that is paid for, so that its page asks for a confirmation. */
  async function seedPaidSubscription(service: Service, merchant: NewMerchant, customer: object) {
    const { subscription, charge } = await enrol(service, merchant, customer);
    await completeCharge(service, charge!, noon);
    return { ...subscription, path: toPath(getManageUrl(service, subscription)) };
  }

  const countSms = (service: Service) => service.prisma.message.count({ where: { channel: 'sms' } });

  describe('to an expensive or distant number', () => {
    test.for(expensive)(
      'is not possible, so that it cannot be the only contact of an enrolment: %j',
      async (phone, { service, merchant }) => {
        await expect(enrol(service, merchant, { phone })).rejects.toMatchObject({
          code: 'invalid_request',
          inputErrors: [{ path: expect.stringMatching(/^\/customer\/phone/) }],
        });
        expect(await service.prisma.subscription.count({ where: { merchantId: merchant.merchant.id } })).toBe(
          0,
        );
      },
    );

    test.for(expensive)(
      'is sent by no operation: %j',
      async ({ code, phone }, { service, merchant, visitor }) => {
        const withEmail = await seedPaidSubscription(service, merchant, {
          email: 'ada@example.com',
          phone: { code, phone },
        });
        expect((await visitor.post(withEmail.path, { do: 'cancel' })).main).toContain(
          'We’ve emailed you a link.',
        );
        const withoutEmail = await seedPaidSubscription(service, merchant, { phone: mobile });
        await service.prisma.subscription.update({
          where: { id: withoutEmail.id },
          data: { phone: code + phone },
        });
        expect((await visitor.get(withoutEmail.path)).main).toContain('Please ask the shop to cancel.');
        expect((await visitor.post(withoutEmail.path, { do: 'cancel' })).main).not.toContain(
          'We’ve texted you',
        );
        await expect(
          seedSms(service, { merchantId: merchant.merchant.id, to: code + phone }),
        ).rejects.toMatchObject({ code: 'invalid_request' });
        expect(await countSms(service)).toBe(0);
      },
    );

    test('is sent while the merchant allows its country', async ({ service, merchant, visitor }) => {
      const phone = { code: '+49', phone: '15123456789' };
      await expect(enrol(service, merchant, { phone })).rejects.toMatchObject({ code: 'invalid_request' });
      const { id } = merchant.merchant;
      const update = (additionalPhoneCountries: string[]) =>
        service.prisma.merchant.update({ where: { id }, data: { additionalPhoneCountries } });
      merchant = { ...merchant, merchant: await update(['DE']) };
      const { path } = await seedPaidSubscription(service, merchant, { phone });
      expect((await visitor.post(path, { do: 'cancel' })).main).toContain('We’ve texted you a link.');
      await update([]);
      expect((await visitor.post(path, { do: 'cancel' })).main).not.toContain('We’ve texted you');
      expect(await countSms(service)).toBe(1);
    });
  });

  describe('Limit of SMS', () => {
    test('applies to a number over all merchants, codes and cancellations; then 429 with Retry-After', async ({
      clock,
      service,
      merchant,
      visitor,
    }) => {
      const other = await seedMerchant(service);
      const paths = [
        await seedPaidSubscription(service, merchant, { phone: mobile }),
        await seedPaidSubscription(service, other, { phone: mobile }),
      ];
      const request = (by: NewMerchant) =>
        requestPhoneVerification(service, {
          merchant: by.merchant,
          mode: 'live',
          input: { phone: mobile },
          now: clock.now(),
        });
      await request(merchant);
      clock.set(minutesAfter(noon, 10));
      await request(other);
      for (const { path } of paths)
        expect((await visitor.post(path, { do: 'cancel' })).main).toContain('We’ve texted you a link.');
      await request(other);
      clock.set(minutesAfter(noon, 20));
      for (const { path } of paths) {
        const limited = await visitor.post(path, { do: 'cancel' });
        expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': String(40 * 60) } });
        expect(limited.main).toContain('There were too many requests within an hour.');
      }
      await expect(request(merchant)).rejects.toMatchObject({ code: 'rate_limited' });
      expect(await countSms(service)).toBe(5);
      clock.set(minutesAfter(noon, 60));
      expect((await visitor.post(paths[0]!.path, { do: 'cancel' })).main).toContain(
        'We’ve texted you a link.',
      );
    });

    test('is 100 an hour for a merchant, to any numbers', async ({ service, merchant, visitor }) => {
      const { path } = await seedPaidSubscription(service, merchant, { phone: mobile });
      const { id: merchantId } = merchant.merchant;
      for (let n = 0; n < 100; n++)
        await seedSms(service, { merchantId, to: `+8525${1_000_000 + n}`, now: noon });
      expect((await visitor.post(path, { do: 'cancel' })).status).toBe(429);
      const other = await seedPaidSubscription(service, await seedMerchant(service), { phone: mobile });
      expect((await visitor.post(other.path, { do: 'cancel' })).status).toBe(200);
    });

    test('applies to concurrent requests of many subscriptions', async ({ service }) => {
      for (let round = 0; round < count(3, 30); round++) {
        await service.prisma.message.deleteMany();
        const paid: Subscription[] = [];
        for (let n = 0; n < 4; n++)
          paid.push(await seedPaidSubscription(service, await seedMerchant(service), { phone: mobile }));
        const requests = Array.from({ length: 20 }, async (_, n) => {
          const { id, merchantId } = paid[n % 4]!;
          const shop = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
          return requestCancellation(service, {
            ...{ id, merchantId, mode: 'live', merchant: shop, actor: 'customer', now: noon },
            systemNow: noon,
          }).catch(getErrorCode);
        });
        const results = await Promise.all(requests);
        expect(results.filter((result) => result === 'sms')).toHaveLength(5);
        expect(results.filter((result) => result === 'rate_limited')).toHaveLength(15);
        expect(await countSms(service)).toBe(5);
      }
    });
  });
});

describe('Mails', () => {
  const start = day('2026-01-31');
  const test = messageTest
    .extend('clock', ({ fileClock }, { onCleanup }) => {
      onCleanup(() => fileClock.set(noon));
      fileClock.set(start);
      return fileClock;
    })
    .extend('merchant', async ({ service, clock }, { onCleanup }) => {
      await service.prisma.message.deleteMany();
      onCleanup(() => expectInvariants(service));
      return seedMerchant(service, {}, clock.now());
    });

  const victim = 'victim@example.org';
  const free = { sendEmail: true, initialPayment: { amount: 0, period: 'days' as const, count: 14 } };

  async function seedEnrolmentLink(
    service: Service,
    merchant: NewMerchant,
    input = {},
    shop = merchant,
  ): Promise<string> {
    const plan = await seedPlan(service, shop, { input, now: start });
    const link = await createSubscriptionLink(service, {
      ...{ merchant: shop.merchant, mode: plan.mode, now: start },
      input: { subscriptionPlanId: plan.id },
    });
    return toPath(getEnrolmentUrl(service, link));
  }

  /** A new browser enrols an address: no cookie and no form connects it with earlier ones. */
  async function enrol(app: TestApp, service: Service, path: string, email = victim) {
    const visitor = createPageVisitor(app.app);
    const visit = await visitor.post(path, { method: 'fps', email });
    const newest = await service.prisma.subscription.findFirst({
      where: { email },
      orderBy: { id: 'desc' },
    });
    const isFree = visit.location.startsWith('/pay/subscription/');
    return { visit, manage: isFree ? visit.location : newest && toPath(getManageUrl(service, newest)) };
  }

  const mails = (service: Service, where: object = {}) =>
    service.prisma.message.findMany({ where: { channel: 'email', ...where }, orderBy: { id: 'asc' } });

  async function enrolForFree(
    app: TestApp,
    service: Service,
    merchant: NewMerchant,
    options: { email?: string; shop?: NewMerchant } = {},
  ) {
    const { email = victim, shop = merchant } = options;
    const { manage } = await enrol(
      app,
      service,
      await seedEnrolmentLink(service, merchant, free, shop),
      email,
    );
    return manage!;
  }

  test('are not sent for unpaid enrolments, which are limited and can be cancelled immediately on their page', async ({
    app,
    clock,
    service,
    merchant,
  }) => {
    const path = await seedEnrolmentLink(service, merchant);
    for (let n = 0; n < 5; n++) {
      clock.set(minutesAfter(start, n));
      const { visit, manage } = await enrol(app, service, path);
      expect(visit.status).toBe(303);
      expect((await createPageVisitor(app.app).get(manage!)).main).toContain(
        'so this cancels the subscription immediately',
      );
      const cancelled = await createPageVisitor(app.app).post(manage!, { do: 'cancel' });
      expect([cancelled.status, cancelled.main]).toEqual([200, expect.stringContaining('Cancelled')]);
    }
    clock.set(minutesAfter(start, 10));
    const { visit } = await enrol(app, service, path);
    expect(visit).toMatchObject({ status: 429, headers: { 'retry-after': String(50 * 60) } });
    expect((await enrol(app, service, path, 'other@example.org')).visit.status).toBe(303);
    const rows = await service.prisma.subscription.findMany({ where: { email: victim } });
    expect(rows.map(({ status }) => status)).toEqual(Array(5).fill('cancelled'));
    expect(await mails(service)).toEqual([]);
    clock.set(minutesAfter(start, 60));
    expect((await enrol(app, service, path)).visit.status).toBe(303);
  });

  test('are sent to confirm the cancellation of an enrolment whose charge has received a part', async ({
    app,
    service,
    merchant,
  }) => {
    const { manage } = await enrol(app, service, await seedEnrolmentLink(service, merchant));
    const charge = await service.prisma.charge.findFirstOrThrow({ orderBy: { id: 'desc' } });
    await service.prisma.charge.update({ where: { id: charge.id }, data: { amountReceived: 1n } });
    expect((await createPageVisitor(app.app).post(manage!, { do: 'cancel' })).main).toContain(
      'We’ve emailed you a link.',
    );
    expect(await readSubscription(service, charge.subscriptionId!)).toMatchObject({ status: 'inactive' });
    await service.prisma.charge.update({ where: { id: charge.id }, data: { amountReceived: 0n } });
  });

  test('are limited to five confirmations an hour for one mailbox, over all merchants and spellings of its address', async ({
    app,
    service,
    merchant,
  }) => {
    const pages = [
      await enrolForFree(app, service, merchant),
      await enrolForFree(app, service, merchant, { email: 'Victim@Example.ORG' }),
      await enrolForFree(app, service, merchant, { email: 'victim+1@example.org' }),
      await enrolForFree(app, service, merchant, { shop: await seedMerchant(service, {}, start) }),
    ];
    const cancel = (page: string) => createPageVisitor(app.app).post(page, { do: 'cancel' });
    for (const page of [...pages, pages[0]!])
      expect((await cancel(page)).main).toContain('We’ve emailed you a link');
    for (const page of pages) expect(await cancel(page)).toMatchObject({ status: 429 });
    expect((await cancel(pages[0]!)).headers['retry-after']).toBe(String(60 * 60));
    expect((await mails(service)).length).toBe(5);
    expect(
      (await cancel(await enrolForFree(app, service, merchant, { email: 'other@example.org' }))).status,
    ).toBe(200);
  });

  test('never exceed the limit when confirmations are requested concurrently', async ({
    app,
    service,
    merchant,
  }) => {
    for (let round = 0; round < count(3, 30); round++) {
      const email = `round${round}@example.org`;
      for (let n = 0; n < 4; n++) await enrolForFree(app, service, merchant, { email });
      const subscriptions = await service.prisma.subscription.findMany({ where: { email } });
      const results = await Promise.all(
        Array.from({ length: 24 }, (_, n) =>
          requestCancellation(service, {
            ...subscriptions[n % 4]!,
            ...{ merchant: merchant.merchant, actor: 'customer', now: start, systemNow: start },
          }).catch(getErrorCode),
        ),
      );
      expect(results.filter((result) => result === 'email')).toHaveLength(5);
      expect(results.filter((result) => result === 'rate_limited')).toHaveLength(19);
    }
  });

  test('of a paid subscription are sent during an attack on the address', async ({
    app,
    service,
    merchant,
  }) => {
    const email = 'attacked@example.org';
    const plan = await seedPlan(service, merchant, { input: { sendEmail: true }, now: start });
    await seedActiveSubscription(service, merchant, { plan, email, now: start });
    const shops = [merchant, await seedMerchant(service, {}, start), await seedMerchant(service, {}, start)];
    for (const shop of shops) {
      const path = await seedEnrolmentLink(
        service,
        merchant,
        { ...free, initialPayment: { amount: 0, period: 'months', count: 1 } },
        shop,
      );
      for (let n = 0; n < 5; n++) {
        const { manage } = await enrol(app, service, path, email);
        await createPageVisitor(app.app).post(manage!, { do: 'cancel' });
      }
    }
    const now = day('2026-02-26');
    await renewSubscriptions(service, { now });
    const invoices = await mails(service, { kind: 'invoice-due', recipient: email });
    expect(invoices).toHaveLength(16);
    const skipped = invoices.filter(({ status }) => status === 'skipped');
    expect(skipped).toHaveLength(10);
    for (const message of skipped) {
      expect(message).toMatchObject({
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

  test('beyond five password resets an hour are skipped, and the link that was sent last remains valid', async ({
    service,
    merchant,
  }) => {
    const { email } = merchant;
    for (let n = 0; n < 8; n++) {
      await service.prisma.passwordResetRequest.create({
        data: { email, ipAddress: '203.0.113.7', createdAt: start },
      });
      await processResetRequests(service, { now: minutesAfter(start, n) });
    }
    const sent = await mails(service, { kind: 'password-reset' });
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

  test('of refunds beyond the limit are skipped with the reason, and the refunds are created', async ({
    service,
    merchant,
  }) => {
    const charge = await seedCompletedCharge(service, merchant, { now: start });
    for (let n = 0; n < 22; n++) {
      await createRefund(service, {
        ...{ merchantId: merchant.merchant.id, mode: 'sandbox', actor: 'key:test', now: start },
        input: { chargeId: charge.id, customerAmount: 1 },
      });
    }
    expect(await service.prisma.refund.count({ where: { chargeId: charge.id } })).toBe(22);
    const links = await mails(service, { kind: 'refund-link' });
    expect(links.filter(({ status }) => status === 'captured')).toHaveLength(20);
    expect(links.filter(({ status }) => status === 'skipped')).toHaveLength(2);
  });
});

describe('Enrolments', () => {
  const test = appTest;

  const start = day('2026-01-31');
  const email = 'victim@example.org';

  async function seedEnrolmentLink(service: Service, input = {}): Promise<string> {
    const shop = await seedMerchant(service, {}, start);
    const plan = await seedPlan(service, shop, { input, now: start });
    const link = await createSubscriptionLink(service, {
      ...{ merchant: shop.merchant, mode: plan.mode, now: start },
      input: { subscriptionPlanId: plan.id },
    });
    return toPath(getEnrolmentUrl(service, link));
  }

  async function enrol(app: TestApp, path: string, address: string): Promise<number> {
    return (await createPageVisitor(app.app, address).post(path, { method: 'fps', email })).status;
  }

  test.for([
    ['a plan with a first payment', {}],
    ['a free trial', { initialPayment: { amount: 0, period: 'days' as const, count: 14 } }],
  ] as const)(
    'in %s from one network do not lock out another network',
    async ([_name, input], { app, clock, service }) => {
      clock.set(start);
      const path = await seedEnrolmentLink(service, input);
      const attacker = (n: number) => `2001:db8:1:2::${n}`;
      for (let n = 1; n <= 5; n++) expect(await enrol(app, path, attacker(n))).toBe(303);
      expect(await enrol(app, path, attacker(6))).toBe(429);
      expect(await enrol(app, path, '203.0.113.5')).toBe(303);
      expect(await enrol(app, path, attacker(7))).toBe(429);
      clock.set(minutesAfter(start, 60));
      expect(await enrol(app, path, attacker(8))).toBe(303);
    },
  );

  test('from one network never exceed the limit when they run concurrently', async ({
    app,
    clock,
    service,
  }) => {
    clock.set(start);
    const path = await seedEnrolmentLink(service);
    const results = await Promise.all(Array.from({ length: 12 }, () => enrol(app, path, '203.0.113.9')));
    expect(results.sort()).toEqual([...Array(5).fill(303), ...Array(7).fill(429)]);
  });
});
