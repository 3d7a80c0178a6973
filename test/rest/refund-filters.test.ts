import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { systemTimeAppTest } from '../setup/fixtures.ts';
import { getList, type ListFilter, listFilters, testListFilters } from '../setup/list-filters.ts';
import { minutesAfter, noon, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

/** Compares `GET /refunds` with a plain list: each filter alone, and every pair of them. */

type Shown = {
  id: string;
  chargeId: string;
  status: string;
  customerCurrency: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

/** Within a second, so that an endDate has to include the whole of its second. */
const start = new Date(noon.getTime() + 750);

const people = [
  { email: 'ada@example.com', phone: '+85251234567' },
  { email: 'Bob@Example.com', phone: '+6581234567' },
];
const methods = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
] as const;
const statuses = ['initiated', 'processing', 'completed', 'cancelled'] as const;

async function seedPaidCharge(
  service: Service,
  merchant: NewMerchant,
  email: string,
  phone: string,
  method: string,
  merchantCurrency: string,
): Promise<string> {
  const input = { email, method, merchantCurrency, merchantAmount: 100 };
  const { id } = await seedCompletedCharge(service, merchant, { input });
  await service.prisma.charge.update({ where: { id }, data: { phone } });
  return id;
}

async function seedRefund(
  service: Service,
  merchant: NewMerchant,
  chargeId: string,
  status: (typeof statuses)[number],
  now: Date,
): Promise<void> {
  const owner = { merchantId: merchant.merchant.id, mode: 'sandbox' } as const;
  const input = { chargeId, customerAmount: 5 };
  const { refund } = await createRefund(service, { ...owner, actor: 'key:test', input, now });
  await service.prisma.refund.update({ where: { id: refund.id }, data: { status } });
}

const at = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);
const from = (minutes: number) => (refund: Shown) =>
  refund.createdAt >= minutesAfter(noon, minutes).toISOString();

function toFilters(rows: Shown[]): ListFilter<Shown>[] {
  const { chargeId } = rows[5]!;
  return listFilters<Shown>({
    chargeId: [[`chargeId=${chargeId}`, (refund) => refund.chargeId === chargeId]],
    status: statuses.map((status) => [`status=${status}`, (refund) => refund.status === status]),
    startDate: [[`startDate=${at(5)}`, from(5)]],
    endDate: [[`endDate=${at(10)}`, (refund) => !from(11)(refund)]],
    customerCurrency: methods.map(([, currency]) => [
      `customerCurrency=${currency}`,
      (refund) => refund.customerCurrency === currency,
    ]),
    customerEmail: [
      ['customerEmail=ada%40example.com', (refund) => refund.customer.email === 'ada@example.com'],
      ['customerEmail=bob%40example.com', (refund) => refund.customer.email === 'Bob@Example.com'],
    ],
    customerPhone: [
      ['customerPhone=85251234567', (refund) => refund.customer.phone === '+85251234567'],
      ['customerPhone=6581234567', (refund) => refund.customer.phone === '+6581234567'],
    ],
  });
}

const test = systemTimeAppTest.extend('filtered', { scope: 'file' }, async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const charges: string[] = [];
  for (const { email, phone } of people)
    for (const [method, merchantCurrency] of methods)
      charges.push(await seedPaidCharge(service, merchant, email, phone, method, merchantCurrency));
  let minutes = 0;
  for (const status of statuses)
    for (const chargeId of charges)
      await seedRefund(service, merchant, chargeId, status, minutesAfter(start, minutes++));
  const list = { app, path: 'refunds', keys: merchant.keys.sandbox };
  const { rows } = await getList<Shown>(list, 'limit=50');
  expect(rows).toHaveLength(charges.length * statuses.length);
  return { list, rows, filters: toFilters(rows) };
});

describe('GET /refunds', () => {
  testListFilters(test, 'refunds');
});
