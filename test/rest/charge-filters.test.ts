import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { getList, listFilters, type RestList, testListFilters } from '../setup/list-filters.ts';
import { makeCharge, makeMerchant, minutesAfter, noon } from '../setup/makers.ts';

/** `GET /charges` held against a plain list: each filter alone, and every pair of them. */

type Shown = {
  id: string;
  method: string;
  status: string;
  customerCurrency: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

let app: TestApp;
let merchant: NewMerchant;
/** Newest first, as the interface shows them one by one. */
let all: Shown[];
const clock = testClock(noon);
/** Within a second, so that an endDate has to include the whole of its second. */
const start = new Date(noon.getTime() + 750);

const people = [
  { email: 'ada@example.com', phone: '+85251234567' },
  { email: 'bob@example.com', phone: '+6581234567' },
  { email: 'Cyd@Example.com', phone: null },
];
const methods = [
  ['fps', 'HKD'],
  ['paynow', 'SGD'],
  ['hk-bank-transfer', 'HKD'],
] as const;
const statuses = ['pending', 'completed', 'cancelled', 'expired'] as const;

beforeAll(async () => {
  app = await testApp({ clock });
  const { service } = app.context;
  merchant = await makeMerchant(service);
  let turn = 0;
  for (const person of people) {
    for (const [method, merchantCurrency] of methods) {
      for (const status of statuses) {
        const now = minutesAfter(start, turn++);
        const input = { email: person.email, method, merchantCurrency, merchantAmount: turn };
        const { id } = await makeCharge(service, merchant, { input, now });
        const done = status === 'completed' ? { completedAt: now, completedBy: 'manual' } : {};
        await service.prisma.charge.update({ where: { id }, data: { status, phone: person.phone, ...done } });
      }
    }
  }
  clock.set(minutesAfter(noon, turn));
  const pages = await Promise.all([1, 2].map((page) => getList<Shown>(list(), `limit=50&page=${page}`)));
  all = pages.flatMap(({ rows }) => rows);
  expect(all).toHaveLength(people.length * methods.length * statuses.length);
  expect(all).toEqual(all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)));
});

const get = (query: string) =>
  callApi(app.app, { method: 'GET', url: `/charges?${query}`, keys: merchant.keys.live });

const list = (): RestList => ({ app, path: 'charges', keys: merchant.keys.live });

const at = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);
const from = (minutes: number) => (charge: Shown) =>
  charge.createdAt >= minutesAfter(noon, minutes).toISOString();
const filters = listFilters<Shown>({
  method: methods.slice(0, 2).map(([method]) => [`method=${method}`, (charge) => charge.method === method]),
  status: statuses.map((status) => [`status=${status}`, (charge) => charge.status === status]),
  startDate: [[`startDate=${at(9)}`, from(9)]],
  endDate: [
    [`endDate=${at(20)}`, (charge) => !from(21)(charge)],
    [`endDate=${at(20)}Z`, (charge) => !from(21)(charge)],
  ],
  customerCurrency: [['customerCurrency=HKD', (charge) => charge.customerCurrency === 'HKD']],
  customerEmail: [
    ['customerEmail=ADA%40example.com', (charge) => charge.customer.email === 'ada@example.com'],
    ['customerEmail=cyd%40example.com', (charge) => charge.customer.email === 'Cyd@Example.com'],
    ['customerEmail=example.com', () => false],
  ],
  customerPhone: [
    ['customerPhone=85251234567', (charge) => charge.customer.phone === '+85251234567'],
    ['customerPhone=%2B6581234567', (charge) => charge.customer.phone === '+6581234567'],
    ['customerPhone=+6581234567', (charge) => charge.customer.phone === '+6581234567'],
    ['customerPhone=51234567', () => false],
  ],
});

describe('GET /charges', () => {
  testListFilters('charges', () => ({ list: list(), rows: all, filters }));

  test.each([
    'method=cash',
    'method=FPS',
    'status=paid',
    'status=',
    'startDate=2026-11-17',
    'startDate=2026-02-30T00:00:00',
    'startDate=2026-11-17T12:00:00%2B08:00',
    'endDate=yesterday',
    'page=0',
    'page=1.5',
    'page=x',
    'limit=0',
    'limit=51',
    'limit=-1',
    'timestamps=unix',
    'status=pending&status=expired',
    'customer=x',
  ])('%s: 400', async (query) => {
    const { status, json } = await get(query);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });

  test('pages: the default is 10; past the end is empty with true totals; nothing has 0 pages', async () => {
    const first = (await get('')).json;
    expect(first.charges).toEqual(all.slice(0, 10));
    expect(first.pagination).toEqual({
      total: all.length,
      totalPages: Math.ceil(all.length / 10),
      currentPage: 1,
    });
    expect((await get('limit=7&page=3')).json.charges).toEqual(all.slice(14, 21));
    const past = (await get('limit=50&page=9')).json;
    expect(past).toEqual({ charges: [], pagination: { total: all.length, totalPages: 1, currentPage: 9 } });
    const none = (await get('customerEmail=nobody%40example.com')).json;
    expect(none).toEqual({ charges: [], pagination: { total: 0, totalPages: 0, currentPage: 1 } });
  });

  test('dates by which programs mean no beginning or no end leave nothing out', async () => {
    const wide = (await get('startDate=0001-01-01T00:00:00&endDate=9999-12-31T23:59:59&limit=50')).json;
    expect([wide.charges, wide.pagination.total]).toEqual([all, all.length]);
    for (const nothing of ['startDate=9999-12-31T23:59:59', 'endDate=1969-12-31T23:59:59'])
      expect((await get(nothing)).json.pagination.total).toBe(0);
  });

  test('timestamps=epoch gives integers everywhere in the charge', async () => {
    const { charges } = (await get('limit=1&timestamps=epoch')).json;
    const { createdAt, updatedAt, expiresAt } = charges[0];
    expect([createdAt, updatedAt, expiresAt].map(Number.isInteger)).toEqual([true, true, true]);
    expect(new Date(createdAt).toISOString()).toBe(all[0]!.createdAt);
  });

  test('totals and pages agree while charges are being made', async () => {
    const other = await makeMerchant(app.context.service);
    let isMaking = true;
    const making = (async () => {
      for (let i = 1; i <= 60; i++) {
        await makeCharge(app.context.service, other, {
          input: { merchantAmount: i },
          now: minutesAfter(noon, i),
        });
      }
    })().finally(() => {
      isMaking = false;
    });
    const totals: number[] = [];
    while (isMaking) {
      const { json } = await callApi(app.app, {
        method: 'GET',
        url: '/charges?limit=50',
        keys: other.keys.live,
      });
      const { total, totalPages } = json.pagination;
      totals.push(total);
      expect(json.charges).toHaveLength(Math.min(total, 50));
      // Past the last page too: what the total says is of the same moment.
      const second = (
        await callApi(app.app, { method: 'GET', url: '/charges?limit=50&page=2', keys: other.keys.live })
      ).json;
      expect(second.charges).toHaveLength(Math.max(0, second.pagination.total - 50));
      expect(totalPages).toBe(Math.ceil(total / 50));
    }
    await making;
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(totals.length).toBeGreaterThan(3);
  });
});
