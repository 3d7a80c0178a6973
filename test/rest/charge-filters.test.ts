import { describe, expect } from 'vitest';
import { callApi } from '../setup/api.ts';
import { appTest } from '../setup/fixtures.ts';
import { type FilteredList, getList, listFilters, testListFilters } from '../setup/list-filters.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';

/** Compares `GET /charges` with a plain list: each filter alone, and every pair of them. */

type Shown = {
  id: string;
  method: string;
  status: string;
  customerCurrency: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

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

const test = appTest.extend('filtered', { scope: 'file' }, async ({ app, service, fileClock }) => {
  const merchant = await seedMerchant(service);
  let minutes = 0;
  for (const person of people) {
    for (const [method, merchantCurrency] of methods) {
      for (const status of statuses) {
        const now = minutesAfter(start, minutes++);
        const input = { email: person.email, method, merchantCurrency, merchantAmount: minutes };
        const { id } = await seedCharge(service, merchant, { input, now });
        const completion = status === 'completed' ? { completedAt: now, completedBy: 'manual' } : {};
        const data = { status, phone: person.phone, ...completion };
        await service.prisma.charge.update({ where: { id }, data });
      }
    }
  }
  fileClock.set(minutesAfter(noon, minutes));
  const list = { app, path: 'charges', keys: merchant.keys.live };
  const pages = await Promise.all([1, 2].map((page) => getList<Shown>(list, `limit=50&page=${page}`)));
  const rows = pages.flatMap((page) => page.rows);
  expect(rows).toHaveLength(people.length * methods.length * statuses.length);
  expect(rows).toEqual(rows.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1)));
  return { list, rows, filters };
});

const get = ({ list: { app, keys } }: FilteredList<Shown>, query: string) =>
  callApi(app.app, { method: 'GET', url: `/charges?${query}`, keys });

describe('GET /charges', () => {
  testListFilters(test, 'charges');

  test.for([
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
  ])('returns 400 for %s', async (query, { filtered }) => {
    const { status, json } = await get(filtered, query);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });

  test('returns pages of 10 by default, and an empty page with the correct totals past the end', async ({
    filtered,
  }) => {
    const { rows: all } = filtered;
    const first = (await get(filtered, '')).json;
    expect(first.charges).toEqual(all.slice(0, 10));
    expect(first.pagination).toEqual({
      total: all.length,
      totalPages: Math.ceil(all.length / 10),
      currentPage: 1,
    });
    expect((await get(filtered, 'limit=7&page=3')).json.charges).toEqual(all.slice(14, 21));
    const pastEnd = (await get(filtered, 'limit=50&page=9')).json;
    expect(pastEnd).toEqual({
      charges: [],
      pagination: { total: all.length, totalPages: 1, currentPage: 9 },
    });
    const none = (await get(filtered, 'customerEmail=nobody%40example.com')).json;
    expect(none).toEqual({ charges: [], pagination: { total: 0, totalPages: 0, currentPage: 1 } });
  });

  test('accepts the minimum and maximum dates that programs send for an open range', async ({ filtered }) => {
    const { rows: all } = filtered;
    const wide = (await get(filtered, 'startDate=0001-01-01T00:00:00&endDate=9999-12-31T23:59:59&limit=50'))
      .json;
    expect([wide.charges, wide.pagination.total]).toEqual([all, all.length]);
    for (const range of ['startDate=9999-12-31T23:59:59', 'endDate=1969-12-31T23:59:59'])
      expect((await get(filtered, range)).json.pagination.total).toBe(0);
  });

  test('returns all times of the charge as integers with timestamps=epoch', async ({ filtered }) => {
    const { charges } = (await get(filtered, 'limit=1&timestamps=epoch')).json;
    const { createdAt, updatedAt, expiresAt } = charges[0];
    expect([createdAt, updatedAt, expiresAt].map(Number.isInteger)).toEqual([true, true, true]);
    expect(new Date(createdAt).toISOString()).toBe(filtered.rows[0]!.createdAt);
  });

  test('returns consistent totals and pages while charges are being created', async ({
    app,
    service,
    merchant,
  }) => {
    let isCreating = true;
    const creation = (async () => {
      for (let i = 1; i <= 60; i++) {
        await seedCharge(service, merchant, {
          input: { merchantAmount: i },
          now: minutesAfter(noon, i),
        });
      }
    })().finally(() => {
      isCreating = false;
    });
    const totals: number[] = [];
    while (isCreating) {
      const { json } = await callApi(app.app, {
        method: 'GET',
        url: '/charges?limit=50',
        keys: merchant.keys.live,
      });
      const { total, totalPages } = json.pagination;
      totals.push(total);
      expect(json.charges).toHaveLength(Math.min(total, 50));
      // The total past the last page is consistent with the rows, too.
      const second = (
        await callApi(app.app, { method: 'GET', url: '/charges?limit=50&page=2', keys: merchant.keys.live })
      ).json;
      expect(second.charges).toHaveLength(Math.max(0, second.pagination.total - 50));
      expect(totalPages).toBe(Math.ceil(total / 50));
    }
    await creation;
    expect(totals).toEqual(totals.toSorted((a, b) => a - b));
    expect(totals.length).toBeGreaterThan(3);
  });
});
