import { describe, expect } from 'vitest';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { systemTimeAppTest } from '../setup/fixtures.ts';
import { getList, type ListFilter, listFilters, testListFilters } from '../setup/list-filters.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';
import { seedPlan, seedSubscription } from '../setup/subscriptions.ts';

/** Compares `GET /subscriptions` with a plain list: each filter alone, and every pair of them. */

type Shown = {
  id: string;
  subscriptionPlanId: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};
/** With the currency, which `GET /subscriptions` does not return. */
type Row = Shown & { customerCurrency: string };

/** Within a second, so that an endDate has to include the whole of its second. */
const start = new Date(noon.getTime() + 750);

const people = [
  { email: 'ada@example.com', phone: '+85251234567' },
  { email: 'Bob@Example.com', phone: '+6581234567' },
  { email: 'cyd@example.com', phone: null },
];
const methods: [MethodCode, string][] = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
];

const at = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);
const from = (minutes: number) => (row: Row) => row.createdAt >= minutesAfter(noon, minutes).toISOString();

function toFilters(rows: Row[]): ListFilter<Row>[] {
  const { subscriptionPlanId } = rows[0]!;
  return listFilters<Row>({
    subscriptionPlanId: [
      [`subscriptionPlanId=${subscriptionPlanId}`, (row) => row.subscriptionPlanId === subscriptionPlanId],
    ],
    startDate: [[`startDate=${at(4)}`, from(4)]],
    endDate: [[`endDate=${at(7)}`, (row) => !from(8)(row)]],
    customerCurrency: methods.map(([, currency]) => [
      `customerCurrency=${currency}`,
      (row) => row.customerCurrency === currency,
    ]),
    customerEmail: [
      ['customerEmail=ada%40example.com', (row) => row.customer.email === 'ada@example.com'],
      ['customerEmail=bob%40example.com', (row) => row.customer.email === 'Bob@Example.com'],
    ],
    customerPhone: [
      ['customerPhone=85251234567', (row) => row.customer.phone === '+85251234567'],
      ['customerPhone=6581234567', (row) => row.customer.phone === '+6581234567'],
    ],
  });
}

const test = systemTimeAppTest.extend('filtered', { scope: 'file' }, async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const plans = [await seedPlan(service, merchant), await seedPlan(service, merchant)];
  const currencies = new Map<string, string>();
  let count = 0;
  for (const plan of plans)
    for (const [method, currency] of methods)
      for (const { email, phone } of people) {
        const now = minutesAfter(start, (5 * count++) % 12);
        const { subscription } = await seedSubscription(service, merchant, { plan, method, email, now });
        await service.prisma.subscription.update({ where: { id: subscription.id }, data: { phone } });
        currencies.set(subscription.id, currency);
      }
  const list = { app, path: 'subscriptions', keys: merchant.keys.live };
  const { rows: listed } = await getList<Shown>(list, 'limit=50');
  const rows = listed.map((row) => ({ ...row, customerCurrency: currencies.get(row.id)! }));
  expect(rows).toHaveLength(plans.length * methods.length * people.length);
  return { list, rows, filters: toFilters(rows) };
});

describe('GET /subscriptions', () => {
  testListFilters(test, 'subscriptions');
});
