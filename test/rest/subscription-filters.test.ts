import { beforeAll, describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import {
  getList,
  type ListFilter,
  listFilters,
  type RestList,
  testListFilters,
} from '../setup/list-filters.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { makePlan, makeSubscription } from '../setup/subscriptions.ts';

/** `GET /subscriptions` compared with a plain list: each filter alone, and every pair of them. */

type Shown = {
  id: string;
  subscriptionPlanId: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};
/** What a subscription does not show is remembered from its creation. */
type Row = Shown & { customerCurrency: string };

let app: TestApp;
let merchant: NewMerchant;
/** Newest first. */
let all: Row[];
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

beforeAll(async () => {
  app = await testApp();
  const { service } = app.context;
  merchant = await makeMerchant(service);
  const plans = [await makePlan(service, merchant), await makePlan(service, merchant)];
  const currencies = new Map<string, string>();
  let count = 0;
  for (const plan of plans)
    for (const [method, currency] of methods)
      for (const { email, phone } of people) {
        const now = minutesAfter(start, (5 * count++) % 12);
        const { subscription } = await makeSubscription(service, merchant, { plan, method, email, now });
        await service.prisma.subscription.update({ where: { id: subscription.id }, data: { phone } });
        currencies.set(subscription.id, currency);
      }
  const { rows } = await getList<Shown>(list(), 'limit=50');
  all = rows.map((shown) => ({ ...shown, customerCurrency: currencies.get(shown.id)! }));
  expect(all).toHaveLength(plans.length * methods.length * people.length);
});

const list = (): RestList => ({ app, path: 'subscriptions', keys: merchant.keys.live });

const at = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);
const from = (minutes: number) => (row: Row) => row.createdAt >= minutesAfter(noon, minutes).toISOString();

/** Those that need the rows to know what they select are made once the rows are there. */
function makeFilters(): ListFilter<Row>[] {
  const { subscriptionPlanId } = all[0]!;
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

describe('GET /subscriptions', () => {
  testListFilters('subscriptions', () => ({ list: list(), rows: all, filters: makeFilters() }));
});
