import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { MethodCode } from '../../src/method/catalogue.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import {
  filterPairs,
  type ListFilter,
  listFilters,
  selectRows,
  undecidedPairs,
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
  const { subscriptions } = await list('limit=50');
  all = subscriptions.map((shown) => ({ ...shown, customerCurrency: currencies.get(shown.id)! }));
  expect(all).toHaveLength(plans.length * methods.length * people.length);
});

async function list(query: string): Promise<{ subscriptions: Shown[]; pagination: { total: number } }> {
  const url = `/subscriptions?${query}`;
  const { status, json } = await callApi(app.app, { method: 'GET', url, keys: merchant.keys.live });
  expect([query, status]).toEqual([query, 200]);
  return json;
}

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

async function expectSelected(chosen: ListFilter<Row>[]): Promise<void> {
  const query = chosen.map(({ query }) => query).join('&');
  const { subscriptions, pagination } = await list(`${query}&limit=50`);
  const expected = selectRows(all, chosen).map(({ id }) => id);
  expect([query, subscriptions.map(({ id }) => id)]).toEqual([query, expected]);
  expect([query, pagination.total]).toEqual([query, expected.length]);
}

describe('GET /subscriptions', () => {
  test('Each filter alone selects exactly the subscriptions that match it', async () => {
    for (const filter of makeFilters()) await expectSelected([filter]);
  });

  test('Every pair of filters selects exactly the subscriptions that match both', async () => {
    expect(undecidedPairs(all, makeFilters())).toEqual(['customerEmail customerPhone']);
    for (const pair of filterPairs(makeFilters())) await expectSelected(pair);
  });

  test('All filters together select exactly the subscriptions that match all of them', async () => {
    const byName = Map.groupBy(makeFilters(), ({ name }) => name);
    await expectSelected([...byName.values()].map(([first]) => first!));
  });
});
