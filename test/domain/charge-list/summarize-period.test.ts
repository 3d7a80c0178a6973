import { expect } from 'vitest';
import { expireCharges } from '../../../src/domain/payments/charge/expire-charges.ts';
import { findReportingCurrency } from '../../../src/domain/payments/charge-list/find-reporting-currency.ts';
import { foldChargeCounts } from '../../../src/domain/payments/charge-list/fold-charge-counts.ts';
import { summarizePeriod } from '../../../src/domain/payments/charge-list/summarize-period.ts';
import { completeRefund } from '../../../src/domain/payments/refund/complete-refund.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { toStaleReads } from '../../../src/kit/stale-reads.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedPayableRefund } from '../../setup/payouts.ts';
import { minutesAfter, noon, seedCharge } from '../../setup/seed.ts';
import { payCharge } from '../../setup/transfers.ts';

const daysBefore = (days: number) => new Date(noon.getTime() - days * dayMs);

test('a period is summarized in one currency and compared with the period before, up to the same time', async ({
  service,
  merchant,
}) => {
  const pay = async (createdAt: Date, minutes: number, input: object = {}) => {
    const charge = await seedCharge(service, merchant, { input, now: createdAt });
    await payCharge(service, merchant, charge, { now: minutesAfter(createdAt, minutes) });
  };
  // One euro is 9 HKD or 1.5 SGD, so that one SGD is 6 HKD.
  const rates = { HKD: 9, SGD: 1.5 };
  await service.prisma.forexRate.createMany({
    data: Object.entries(rates).map(([currency, rate]) => ({
      ...{ source: 'manual', currency, base: 'EUR', rate, asOf: noon, updatedAt: noon },
    })),
  });
  await pay(daysBefore(0), 2, { email: 'a@example.com' });
  await pay(daysBefore(1), 4, { email: 'b@example.com' });
  const sgd = { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 };
  await pay(daysBefore(2), 6, { ...sgd, email: 'c@example.com' });
  await pay(daysBefore(8), 3, { email: 'd@example.com', merchantAmount: 100 });
  // Later on that day than now, so it belongs to neither period.
  await pay(minutesAfter(daysBefore(7), 60), 3, { email: 'e@example.com', merchantAmount: 7_000 });
  await seedCharge(service, merchant, { input: { email: 'open@example.com' } });
  const refund = await seedPayableRefund(service, merchant);
  await completeRefund(service, {
    ...{ merchantId: merchant.merchant.id, mode: 'live', id: refund.id, actor: 'user:test', now: noon },
  });
  const now = minutesAfter(noon, 5);
  const summarize = (options: object = {}) =>
    summarizePeriod(toStaleReads(service), {
      ...{ merchant: merchant.merchant, mode: 'live', rates: service, days: 7, timeZone: 'UTC', now },
      ...options,
    });
  const summary = await summarize();
  expect(summary).toMatchObject({
    currency: 'HKD',
    rates: [{ currency: 'SGD', rate: { asOf: noon } }],
    unconverted: [],
    current: {
      // 3 × 128.50 HKD and 45.20 SGD × 6.
      collected: { minor: 3n * 12_850n + 27_120n, currency: 'HKD' },
      collectedCount: 4,
      refunded: { minor: 2_050n, currency: 'HKD' },
      refundedCount: 1,
      created: { completed: 4, pending: 1, expired: 0, cancelled: 0 },
      medianSecondsToPay: 180,
    },
    previous: { collected: { minor: 10_000n, currency: 'HKD' }, collectedCount: 1, refundedCount: 0 },
  });
  const [fps, paynow] = summary.methods;
  expect(fps).toMatchObject({ method: 'fps', collected: { charges: 3 }, previous: { minor: 10_000n } });
  expect(fps!.days.map(({ minor }) => minor)).toEqual([0n, 0n, 0n, 0n, 0n, 12_850n, 25_700n]);
  expect(paynow).toMatchObject({
    collected: { money: { minor: 4_520n, currency: 'SGD' } },
    converted: { minor: 27_120n, currency: 'HKD' },
  });
  const converted = summary.methods.reduce((sum, method) => sum + method.converted!.minor, 0n);
  expect(converted).toBe(summary.current.collected.minor);

  const inSgd = await summarize({ currency: 'SGD' });
  // 3 × 128.50 HKD are 64.25 SGD, exactly.
  expect(inSgd.current.collected).toEqual({ minor: 6_425n + 4_520n, currency: 'SGD' });
  await expect(summarize({ days: 8 })).rejects.toThrow(/must be one of 1, 7, 30, 90/);
  await expect(summarize({ currency: 'XXQ' })).rejects.toThrow(/ISO 4217/);
});

test('amounts without an exchange rate are named and not added', async ({ service, merchant }) => {
  const input = { method: 'paynow', merchantCurrency: 'SGD', merchantAmount: 45.2 };
  const charge = await seedCharge(service, merchant, { input });
  await payCharge(service, merchant, charge, { now: noon });
  const expiring = await seedCharge(service, merchant, { input: { email: 'late@example.com' } });
  const now = minutesAfter(expiring.expiresAt, 1);
  await expireCharges(service, { now });
  const options = { merchant: merchant.merchant, mode: 'live', rates: service, days: 30 } as const;
  const summary = await summarizePeriod(toStaleReads(service), {
    ...{ ...options, timeZone: 'Asia/Hong_Kong', now, currency: 'MNT' },
  });
  expect(summary).toMatchObject({
    unconverted: ['SGD'],
    current: { collected: { minor: 0n, currency: 'MNT' }, collectedCount: 1, created: { expired: 1 } },
    methods: [{ method: 'paynow', converted: null }],
  });
});

test('the default currency is that of the own live accounts, and not of the charges in a period', async ({
  service,
  merchant,
}) => {
  const { id: merchantId } = merchant.merchant;
  const reads = toStaleReads(service);
  const find = (country = '') =>
    findReportingCurrency(reads, { merchant: { ...merchant.merchant, country }, mode: 'sandbox' });
  const setAccounts = async (currencies: readonly string[], data: { demo?: boolean } = {}) => {
    await service.prisma.receivingAccount.updateMany({
      where: { merchantId, currency: { notIn: [...currencies] } },
      data: { status: 'retired', retiredAt: noon },
    });
    await service.prisma.receivingAccount.updateMany({ where: { merchantId }, data });
  };
  // Of accounts in several currencies, the country decides until a charge was paid, also one of the other mode.
  expect(await find('SG')).toBe('SGD');
  const charge = await seedCharge(service, merchant, {});
  await payCharge(service, merchant, charge, { now: noon });
  expect(await find('SG')).toBe('HKD');
  await foldChargeCounts(service);
  expect(await find('SG')).toBe('HKD');
  await setAccounts(['SGD'], { demo: true });
  expect(await find()).toBe('SGD');
  await setAccounts([]);
  expect(await find()).toBe('HKD');
});
