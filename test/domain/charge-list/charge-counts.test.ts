import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ChargeStatus } from '../../../prisma/client/client.ts';
import { checkInvariants } from '../../../src/domain/operations/check/check-invariants.ts';
import { cancelCharge } from '../../../src/domain/payments/charge/cancel-charge.ts';
import { type ChargeFilter, findCharges } from '../../../src/domain/payments/charge-list/find-charges.ts';
import { foldChargeCounts } from '../../../src/domain/payments/charge-list/fold-charge-counts.ts';
import { hourMs } from '../../../src/kit/duration.ts';
import { getLowestId } from '../../../src/kit/id.ts';
import { cleanupAfterFile } from '../../setup/cleanup.ts';
import { copyRows } from '../../setup/copy-rows.ts';
import { count } from '../../setup/counts.ts';
import { noon, seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService } from '../../setup/service.ts';

const onCleanup = cleanupAfterFile();

/** Pages and totals of charge lists, which come from counts, held against a plain list. */

type Listed = { id: string; status: ChargeStatus; method: string; customerCurrency: string; createdAt: Date };

const statuses = ['pending', 'completed', 'expired', 'cancelled'] as const;
const methods = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
  ['hk-bank-transfer', 'HKD'],
] as const;
/** Charges of about 100 days: about 25 a day, some on the very border of two. */
const many = 2_500;
const madeAt = (n: number) =>
  new Date(Date.parse('2026-08-01T00:00:00Z') + n * hourMs + (n % 24 === 0 ? 0 : n % 997));

let service: Awaited<ReturnType<typeof setupService>>;
let owner: { merchantId: string; mode: 'live' };
let all: Listed[];

beforeAll(async () => {
  service = await setupService(onCleanup);
  const merchant = await seedMerchant(service);
  const { id: of } = await seedCharge(service, merchant, { now: noon });
  const other = await seedMerchant(service);
  await seedCharge(service, other, { now: noon });
  owner = { merchantId: merchant.merchant.id, mode: 'live' };
  const rows = Array.from({ length: many }, (_, n) => {
    const [method, currency] = methods[n % 3]!;
    const created_at = madeAt(n).toISOString();
    const id = `${getLowestId('charge', madeAt(n))}${String(n).padStart(16, '0')}`;
    const status = statuses[(n * 7) % 4];
    return { of, id, created_at, method, customer_currency: currency, status, payment_reference: `N${n}` };
  });
  await copyRows(service, 'charge', rows);
  await readAll();
});

async function readAll(): Promise<void> {
  all = await service.prisma.charge.findMany({ where: owner, orderBy: { id: 'desc' } });
}

const fits = (charge: Listed, filter: ChargeFilter) =>
  (filter.status === undefined || charge.status === filter.status) &&
  (filter.method === undefined || charge.method === filter.method) &&
  (filter.customerCurrency === undefined || charge.customerCurrency === filter.customerCurrency) &&
  (filter.startDate === undefined || charge.createdAt >= filter.startDate) &&
  (filter.endDate === undefined || charge.createdAt <= filter.endDate);

/** By which programs say that they mean no end. */
const farOff = [
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59.999Z',
  '9999-12-30T12:00:00Z',
  '9999-12-31T23:59:59.999Z',
];
const time = fc.oneof(
  fc.integer({ min: -30, max: many + 30 }).map(madeAt),
  fc.integer({ min: 0, max: 110 }).map((day) => new Date(Date.UTC(2026, 7, 1 + day))),
  fc.integer({ min: 0, max: 110 }).map((day) => new Date(Date.UTC(2026, 7, 1 + day) - 1)),
  fc.integer({ min: 0, max: 4 }).map((month) => new Date(Date.UTC(2026, 7 + month))),
  fc.constantFrom(...farOff).map((text) => new Date(text)),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const filters: fc.Arbitrary<ChargeFilter> = fc.record({
  status: maybe(fc.constantFrom(...statuses)),
  method: maybe(fc.constantFrom('fps', 'paynow', 'hk-bank-transfer', 'toss')),
  customerCurrency: maybe(fc.constantFrom('HKD', 'SGD', 'KRW')),
  startDate: maybe(time),
  endDate: maybe(time),
});
/** Pages near the top, deep down and behind the end. */
const pages = fc.oneof(
  fc.integer({ min: 1, max: 5 }),
  fc.integer({ min: 1, max: 60 }),
  fc.constantFrom(10_000),
);

async function compare(runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(filters, pages, fc.integer({ min: 1, max: 50 }), async (filter, page, limit) => {
      const fitting = all.filter((charge) => fits(charge, filter));
      const { charges, total } = await findCharges(service, { ...owner, filter, page, limit });
      expect(total).toBe(fitting.length);
      expect(charges.map(({ id }) => id)).toEqual(
        fitting.slice((page - 1) * limit, page * limit).map(({ id }) => id),
      );
    }),
    { numRuns: runs },
  );
}

const isCounted = async () => (await checkInvariants(service)).every(({ name }) => name !== 'charge_counts');

describe('a page and its total', () => {
  const runs = count(50, 5_000);

  test('are those of the charges themselves before anything was added to the counts', () => compare(runs));

  test('after it was', async () => {
    expect(await foldChargeCounts(service)).toBeGreaterThan(many);
    expect(await service.prisma.chargeCountDelta.count()).toBe(0);
    await compare(runs);
  });

  test('and with some changes added, some not', async () => {
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
    await readAll();
    await compare(runs);
    expect(await isCounted()).toBe(true);
  });

  test('are held against the charges by causeway check', async () => {
    await foldChargeCounts(service);
    await service.prisma
      .$executeRaw`UPDATE charge_count SET count = count + 1 WHERE grain = 'day' AND method = 'fps'
      AND start = '2026-09-01' AND status = 'expired'`;
    expect(await isCounted()).toBe(false);
    await service.prisma
      .$executeRaw`UPDATE charge_count SET count = count - 1 WHERE grain = 'day' AND method = 'fps'
      AND start = '2026-09-01' AND status = 'expired'`;
    expect(await isCounted()).toBe(true);
  });
});

test('a total is exact at every moment, however many processes make, cancel and count at once', async () => {
  const merchant = await seedMerchant(service);
  const own = { merchantId: merchant.merchant.id, mode: 'live' } as const;
  const total = async (filter: ChargeFilter) =>
    (await findCharges(service, { ...own, filter, page: 1, limit: 1 })).total;
  const each = count(4, 10);
  let made = 0;
  let isDone = false;
  const watch = async () => {
    let before = 0;
    while (!isDone) {
      const seen = await total({});
      expect(seen).toBeGreaterThanOrEqual(before);
      expect(seen).toBeLessThanOrEqual(made + 4);
      before = seen;
    }
  };
  const fold = async () => {
    while (!isDone) await foldChargeCounts(service);
  };
  const make = async (name: string) => {
    for (let i = 0; i < each; i++) {
      const { id } = await seedCharge(service, merchant, {
        input: { email: `${name}${i}@example.com` },
        now: noon,
      });
      made++;
      if (i % 2 === 0)
        await cancelCharge(service, { ...own, id, by: 'merchant', actor: 'user:test', now: noon });
    }
  };
  const others = [watch(), watch(), fold(), fold()];
  await Promise.all(['a', 'b', 'c', 'd'].map(make));
  isDone = true;
  await Promise.all(others);
  expect([await total({}), await total({ status: 'cancelled' }), await total({ status: 'pending' })]).toEqual(
    [4 * each, 2 * each, 2 * each],
  );
});
