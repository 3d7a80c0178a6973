import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { ChargeStatus } from '../../../prisma/client/client.ts';
import { checkInvariants } from '../../../src/domain/operations/check/check-invariants.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { type ChargeFilter, findCharges } from '../../../src/domain/payments/charge-list/find-charges.ts';
import { foldChargeCounts } from '../../../src/domain/payments/charge-list/fold-charge-counts.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { hourMs } from '../../../src/kit/duration.ts';
import { getLowestId } from '../../../src/kit/id.ts';
import type { MerchantScope } from '../../../src/kit/merchant-scope.ts';
import { copyRows } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { serviceTest } from '../../setup/fixtures.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';

/** Compares the pages and totals of charge lists, which use stored counts, with a list in memory. */

type ListedCharge = {
  id: string;
  status: ChargeStatus;
  method: string;
  customerCurrency: string;
  createdAt: Date;
};

const statuses = ['pending', 'completed', 'expired', 'cancelled'] as const;
const methods = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
  ['hk-bank-transfer', 'HKD'],
] as const;
/** Charges of about 100 days, about 25 a day, some of them exactly at midnight. */
const chargeCount = 2_500;
const getCreatedAt = (n: number) =>
  new Date(Date.parse('2026-08-01T00:00:00Z') + n * hourMs + (n % 24 === 0 ? 0 : n % 997));

/** The scope of a merchant with `chargeCount` charges, for all tests of the file. */
const test = serviceTest.extend('owner', { scope: 'file' }, async ({ service }) => {
  const merchant = await seedMerchant(service);
  const { id: of } = await seedCharge(service, merchant, { now: noon });
  await seedCharge(service, await seedMerchant(service), { now: noon });
  const rows = Array.from({ length: chargeCount }, (_, n) => {
    const [method, currency] = methods[n % 3]!;
    const created_at = getCreatedAt(n).toISOString();
    const id = `${getLowestId('charge', getCreatedAt(n))}${String(n).padStart(16, '0')}`;
    const status = statuses[(n * 7) % 4];
    return { of, id, created_at, method, customer_currency: currency, status, payment_reference: `N${n}` };
  });
  await copyRows(service, 'charge', rows);
  return { merchantId: merchant.merchant.id, mode: 'live' as const };
});

function readCharges(service: Service, owner: MerchantScope): Promise<ListedCharge[]> {
  return service.prisma.charge.findMany({ where: owner, orderBy: { id: 'desc' } });
}

const matches = (charge: ListedCharge, filter: ChargeFilter) =>
  (filter.status === undefined || charge.status === filter.status) &&
  (filter.method === undefined || charge.method === filter.method) &&
  (filter.customerCurrency === undefined || charge.customerCurrency === filter.customerCurrency) &&
  (filter.startDate === undefined || charge.createdAt >= filter.startDate) &&
  (filter.endDate === undefined || charge.createdAt <= filter.endDate);

/** Times that programs send for an open end. */
const distantTimes = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '9999-12-30T12:00:00Z',
  '9999-12-31T23:59:59.999Z',
];
const time = fc.oneof(
  fc.integer({ min: -30, max: chargeCount + 30 }).map(getCreatedAt),
  fc.integer({ min: 0, max: 110 }).map((day) => new Date(Date.UTC(2026, 7, 1 + day))),
  fc.integer({ min: 0, max: 110 }).map((day) => new Date(Date.UTC(2026, 7, 1 + day) - 1)),
  fc.integer({ min: 0, max: 4 }).map((month) => new Date(Date.UTC(2026, 7 + month))),
  fc.constantFrom(...distantTimes).map((text) => new Date(text)),
);
const toOptional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const filters: fc.Arbitrary<ChargeFilter> = fc.record({
  status: toOptional(fc.constantFrom(...statuses)),
  method: toOptional(fc.constantFrom('fps', 'paynow', 'hk-bank-transfer', 'toss')),
  customerCurrency: toOptional(fc.constantFrom('HKD', 'SGD', 'KRW')),
  startDate: toOptional(time),
  endDate: toOptional(time),
});
/** Pages near the start, far from it, and beyond the end. */
const pages = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 60 }),
  fc.constantFrom(10_000),
);

/** Expects random pages of `findCharges` to equal those of a list in memory. */
async function comparePages(service: Service, owner: MerchantScope): Promise<void> {
  const all = await readCharges(service, owner);
  await fc.assert(
    fc.asyncProperty(filters, pages, fc.integer({ min: 1, max: 50 }), async (filter, page, limit) => {
      const matching = all.filter((charge) => matches(charge, filter));
      const { charges, total } = await findCharges(service, { ...owner, filter, page, limit });
      expect(total).toBe(matching.length);
      expect(charges.map(({ id }) => id)).toEqual(
        matching.slice((page - 1) * limit, page * limit).map(({ id }) => id),
      );
    }),
    { numRuns: count(50, 5_000) },
  );
}

const areCountsCorrect = async (service: Service) =>
  (await checkInvariants(service)).every(({ name }) => name !== 'charge_counts');

/** Each test uses the charges and counts that the test before has left. */
describe('a page and its total', () => {
  test('match the charges before any change is added to the counts', ({ service, owner }) =>
    comparePages(service, owner));

  test('match the charges after all changes are added to the counts', async ({ service, owner }) => {
    expect(await foldChargeCounts(service)).toBeGreaterThan(chargeCount);
    expect(await service.prisma.chargeCountDelta.count()).toBe(0);
    await comparePages(service, owner);
  });

  test('match the charges while some changes are added to the counts and others are not', async ({
    service,
    owner,
  }) => {
    const all = await readCharges(service, owner);
    const now = new Date(noon.getTime() + 1_000);
    const pending = all.filter(({ status, method }) => status === 'pending' && method === 'paynow');
    for (const { id } of pending.slice(0, 20)) {
      await cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'user:test', now });
    }
    await foldChargeCounts(service);
    for (const { id } of pending.slice(20, 40)) {
      await cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'user:test', now });
    }
    await service.prisma.charge.deleteMany({ where: { id: all.at(-1)!.id } });
    await comparePages(service, owner);
    expect(await areCountsCorrect(service)).toBe(true);
  });

  test('are compared with the charges by causeway check', async ({ service }) => {
    await foldChargeCounts(service);
    await service.prisma
      .$executeRaw`UPDATE charge_count SET count = count + 1 WHERE grain = 'day' AND method = 'fps'
      AND start = '2026-09-01' AND status = 'expired'`;
    expect(await areCountsCorrect(service)).toBe(false);
    await service.prisma
      .$executeRaw`UPDATE charge_count SET count = count - 1 WHERE grain = 'day' AND method = 'fps'
      AND start = '2026-09-01' AND status = 'expired'`;
    expect(await areCountsCorrect(service)).toBe(true);
  });
});

test('a total is always exact while charges are created, cancelled and counted concurrently', async ({
  service,
  merchant,
}) => {
  const owner = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const getTotal = async (filter: ChargeFilter) =>
    (await findCharges(service, { ...owner, filter, page: 1, limit: 1 })).total;
  const chargesEach = count(4, 10);
  let created = 0;
  let isDone = false;
  const watch = async () => {
    let previous = 0;
    while (!isDone) {
      const current = await getTotal({});
      expect(current).toBeGreaterThanOrEqual(previous);
      expect(current).toBeLessThanOrEqual(created + 4);
      previous = current;
    }
  };
  const fold = async () => {
    while (!isDone) await foldChargeCounts(service);
  };
  const create = async (name: string) => {
    for (let i = 0; i < chargesEach; i++) {
      const { id } = await seedCharge(service, merchant, {
        input: { email: `${name}${i}@example.com` },
        now: noon,
      });
      created++;
      if (i % 2 === 0)
        await cancelCharge(service, { ...owner, id, by: 'merchant', actor: 'user:test', now: noon });
    }
  };
  const background = [watch(), watch(), fold(), fold()];
  await Promise.all(['a', 'b', 'c', 'd'].map(create));
  isDone = true;
  await Promise.all(background);
  expect([
    await getTotal({}),
    await getTotal({ status: 'cancelled' }),
    await getTotal({ status: 'pending' }),
  ]).toEqual([4 * chargesEach, 2 * chargesEach, 2 * chargesEach]);
});
