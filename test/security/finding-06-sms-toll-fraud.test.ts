import { beforeEach, describe, expect, test } from 'vitest';
import type { Subscription } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { manageUrl } from '../../src/domain/billing/subscription/customer-pages.ts';
import { enrolIntoPlan } from '../../src/domain/billing/subscription/enrol-into-plan.ts';
import { requestCancellation } from '../../src/domain/billing/subscription/request-cancellation.ts';
import { requestPhoneVerification } from '../../src/domain/payments/phone-verification/request-phone-verification.ts';
import { toPath } from '../../src/pages/to-path.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { count } from '../setup/counts.ts';
import { getErrorCode } from '../setup/errors.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { seedSms } from '../setup/messages.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { completeCharge, seedPlan } from '../setup/subscriptions.ts';

const onCleanup = cleanupAfterFile();

/** Finding 6: whatever triggers an SMS, it goes to allowed countries and mobile numbers only, and within one limit. */

const clock = createFakeClock(noon);
const { app, context } = await setupApp(onCleanup, { clock });
const { service } = context;
const { get, post } = createPageVisitor(app);
const mobile = { code: '+852', phone: '51234567' };
const expensive = [
  { code: '+44', phone: '9098790000' },
  { code: '+1', phone: '9002345678' },
  { code: '+252', phone: '61234567' },
  { code: '+371', phone: '90012345' },
  { code: '+882', phone: '1312345678' },
  { code: '+852', phone: '21234567' },
];

let merchant: NewMerchant;

beforeEach(async () => {
  clock.set(noon);
  await service.prisma.message.deleteMany();
  merchant = await seedMerchant(service);
});

async function enrol(customer: object, shop = merchant) {
  const plan = await seedPlan(service, shop, { now: noon });
  return enrolIntoPlan(service, {
    ...{ merchant: shop.merchant, mode: 'live', actor: 'key:test', now: noon },
    input: { subscriptionPlanId: plan.id, method: 'fps', customer },
  });
}

/** A subscription that is paid for, so that its page asks for a confirmation. */
async function makePaid(customer: object, shop = merchant) {
  const { subscription, charge } = await enrol(customer, shop);
  await completeCharge(service, charge!, noon);
  return { ...subscription, path: toPath(manageUrl(service, subscription)) };
}

const countSms = () => service.prisma.message.count({ where: { channel: 'sms' } });

describe('an expensive or distant number', () => {
  test.each(expensive)('cannot be the only contact of an enrolment by the API: %j', async (phone) => {
    await expect(enrol({ phone })).rejects.toMatchObject({
      code: 'invalid_request',
      inputErrors: [{ path: expect.stringMatching(/^\/customer\/phone/) }],
    });
    expect(await service.prisma.subscription.count({ where: { merchantId: merchant.merchant.id } })).toBe(0);
  });

  test.each(expensive)('receives no SMS by any way: %j', async ({ code, phone }) => {
    const beside = await makePaid({ email: 'ada@example.com', phone: { code, phone } });
    expect((await post(beside.path, { do: 'cancel' })).main).toContain('We’ve sent you an email.');
    const alone = await makePaid({ phone: mobile });
    await service.prisma.subscription.update({ where: { id: alone.id }, data: { phone: code + phone } });
    expect((await get(alone.path)).main).toContain('Please ask the shop to cancel.');
    expect((await post(alone.path, { do: 'cancel' })).main).not.toContain('We’ve sent you');
    await expect(
      seedSms(service, { merchantId: merchant.merchant.id, to: code + phone }),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await countSms()).toBe(0);
  });

  test('receives an SMS once the merchant has added its country, and none again once that is removed', async () => {
    const phone = { code: '+49', phone: '15123456789' };
    await expect(enrol({ phone })).rejects.toMatchObject({ code: 'invalid_request' });
    const { id } = merchant.merchant;
    const update = (phoneCountries: string[]) =>
      service.prisma.merchant.update({ where: { id }, data: { phoneCountries } });
    merchant = { ...merchant, merchant: await update(['DE']) };
    const { path } = await makePaid({ phone });
    expect((await post(path, { do: 'cancel' })).main).toContain('We’ve sent you a text message.');
    await update([]);
    expect((await post(path, { do: 'cancel' })).main).not.toContain('We’ve sent you');
    expect(await countSms()).toBe(1);
  });
});

describe('one limit', () => {
  test('holds for a number over all merchants, codes and cancellations together; then 429 with Retry-After', async () => {
    const other = await seedMerchant(service);
    const paths = [await makePaid({ phone: mobile }), await makePaid({ phone: mobile }, other)];
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
      expect((await post(path, { do: 'cancel' })).main).toContain('We’ve sent you a text message.');
    await request(other);
    clock.set(minutesAfter(noon, 20));
    for (const { path } of paths) {
      const limited = await post(path, { do: 'cancel' });
      expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': String(40 * 60) } });
      expect(limited.main).toContain('There were too many requests within an hour.');
    }
    await expect(request(merchant)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await countSms()).toBe(5);
    clock.set(minutesAfter(noon, 60));
    expect((await post(paths[0]!.path, { do: 'cancel' })).main).toContain('We’ve sent you a text message.');
  });

  test('holds for a merchant: 100 an hour to whatever numbers', async () => {
    const { path } = await makePaid({ phone: mobile });
    const { id: merchantId } = merchant.merchant;
    for (let n = 0; n < 100; n++)
      await seedSms(service, { merchantId, to: `+8525${1_000_000 + n}`, now: noon });
    expect((await post(path, { do: 'cancel' })).status).toBe(429);
    const other = await makePaid({ phone: mobile }, await seedMerchant(service));
    expect((await post(other.path, { do: 'cancel' })).status).toBe(200);
  });

  test('holds for concurrent requests of many subscriptions', async () => {
    for (let round = 0; round < count(3, 30); round++) {
      await service.prisma.message.deleteMany();
      const paid: Subscription[] = [];
      for (let n = 0; n < 4; n++) paid.push(await makePaid({ phone: mobile }, await seedMerchant(service)));
      const asked = Array.from({ length: 20 }, async (_, n) => {
        const { id, merchantId } = paid[n % 4]!;
        const shop = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
        return requestCancellation(service, {
          ...{ id, merchantId, mode: 'live', merchant: shop, actor: 'customer', now: noon },
          machineNow: noon,
        }).catch(getErrorCode);
      });
      const results = await Promise.all(asked);
      expect(results.filter((result) => result === 'sms')).toHaveLength(5);
      expect(results.filter((result) => result === 'rate_limited')).toHaveLength(15);
      expect(await countSms()).toBe(5);
    }
  });
});
