import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi, callAsMerchant } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import { type FilteredList, getList, listFilters, testListFilters } from '../setup/list-filters.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';

const chargeTest = systemTimeAppTest.extend('other', ({ service }) => seedMerchant(service, {}, new Date()));

const body = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

/** Compares `GET /charges` with a list in memory: each filter alone, and every pair of filters. */

type Shown = {
  id: string;
  method: string;
  status: string;
  customerCurrency: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

/** A time within a second, because an endDate must include its whole second. */
const start = new Date(noon.getTime() + 750);

function toPath(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}

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

const toTime = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);

const from = (minutes: number) => (charge: Shown) =>
  charge.createdAt >= minutesAfter(noon, minutes).toISOString();

const filters = listFilters<Shown>({
  method: methods.slice(0, 2).map(([method]) => [`method=${method}`, (charge) => charge.method === method]),
  status: statuses.map((status) => [`status=${status}`, (charge) => charge.status === status]),
  startDate: [[`startDate=${toTime(9)}`, from(9)]],
  endDate: [
    [`endDate=${toTime(20)}`, (charge) => !from(21)(charge)],
    [`endDate=${toTime(20)}Z`, (charge) => !from(21)(charge)],
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

const chargeFilterTest = appTest.extend(
  'filtered',
  { scope: 'file' },
  async ({ app, service, fileClock }) => {
    const merchant = await seedMerchant(service);
    let minutes = 0;
    for (const person of people) {
      for (const [method, merchantCurrency] of methods) {
        for (const status of statuses) {
          const now = minutesAfter(start, minutes++);
          const input = { email: person.email, method, merchantCurrency, merchantAmount: minutes };
          const { id } = await seedCharge(service, merchant, { input, now });
          const completion = status === 'completed' ? { completedAt: now, completedBy: 'sandbox' } : {};
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
  },
);

const get = ({ list: { app, keys } }: FilteredList<Shown>, query: string) =>
  callApi(app.app, { method: 'GET', url: `/charges?${query}`, keys });

describe('Charge', () => {
  describe('POST /charges', () => {
    chargeTest('returns 201 with the documented charge', async ({ app, merchant }) => {
      const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
      const sent = orders.map((order) => ({ ...order, currency: 'HKD' }));
      const input = { ...body, orders: sent, notifyPayload: 'b3JkZXI=' };
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/charges', input);
      expect(status).toBe(201);
      expect(json).toMatchObject({
        merchantAmount: 128.5,
        merchantCurrency: 'HKD',
        customerAmount: 128.5,
        customerCurrency: 'HKD',
        method: 'fps',
        status: 'pending',
        customer: { email: 'ada@example.com' },
        destination: { accountName: 'Harbour Teas', nonce: expect.stringMatching(/^[A-Z]{4}\d{5}[A-Z]$/) },
        refunds: [],
        notifyPayload: 'b3JkZXI=',
        isDuplicate: false,
        cancelToken: expect.any(String),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(json.orders).toEqual(orders);
      expect(json).not.toHaveProperty('sessionId');
    });

    chargeTest('returns 200 and isDuplicate for an equal request', async ({ app, merchant }) => {
      const input = { ...body, email: 'again@example.com' };
      const first = await callAsMerchant(app, merchant, 'POST', '/charges', input);
      const second = await callAsMerchant(app, merchant, 'POST', '/charges', input);
      expect([first.status, second.status]).toEqual([201, 200]);
      expect(second.json).toMatchObject({ id: first.json.id, isDuplicate: true });
    });

    chargeTest.for([
      [{ ...body, merchantAmout: 5 }, '/merchantAmout', 'is unknown; did you mean merchantAmount?'],
      [{ ...body, merchantAmount: undefined }, '/merchantAmount', 'is required'],
      [{ ...body, merchantAmount: '128.5' }, '/merchantAmount', 'must be a number'],
      [{ ...body, orders: [{ quantity: 1.5 }] }, '/orders/0/quantity', 'must be an integer'],
      [
        { ...body, orders: [{ id: 'o-1', currency: 'USD' }] },
        '/orders/0/currency',
        'must be the charge’s currency, HKD',
      ],
      [{ ...body, email: undefined }, '', 'must have an email or a verificationCode'],
    ] as const)('returns 400 for %o and names %s', async ([input, path, message], { app, merchant }) => {
      const { status, json } = await callAsMerchant(app, merchant, 'POST', '/charges', input);
      expect([status, json.code]).toEqual([400, 'invalid_request']);
      expect(json.errors).toContainEqual({ path, message });
    });
  });

  describe('GET /charges/{id}', () => {
    chargeTest('returns the charge, with epoch timestamps on request', async ({ app, merchant }) => {
      const created = await callAsMerchant(app, merchant, 'POST', '/charges', {
        ...body,
        email: 'get@example.com',
      });
      const { json } = await callAsMerchant(app, merchant, 'GET', `/charges/${created.json.id}`);
      const { isDuplicate: _, cancelToken: __, ...charge } = created.json;
      expect(json).toEqual(charge);
      const epoch = await callAsMerchant(
        app,
        merchant,
        'GET',
        `/charges/${created.json.id}?timestamps=epoch`,
      );
      expect(epoch.json.createdAt).toBe(Date.parse(json.createdAt));
    });

    chargeTest('lists the refunds of the charge, newest first', async ({ app, merchant }) => {
      const { sandbox } = merchant.keys;
      const created = await callAsMerchant(
        app,
        merchant,
        'POST',
        '/charges',
        { ...body, email: 'refunded@example.com' },
        sandbox,
      );
      const { id } = created.json;
      await callAsMerchant(app, merchant, 'POST', `/charges/${id}/complete`, undefined, sandbox);
      const refunds = [];
      for (const customerAmount of [20, 8.5]) {
        const { json } = await callAsMerchant(
          app,
          merchant,
          'POST',
          '/refunds',
          { chargeId: id, customerAmount },
          sandbox,
        );
        refunds.unshift({ id: json.id, chargeId: id, customerAmount, status: 'initiated' });
      }
      const { json } = await callAsMerchant(app, merchant, 'GET', `/charges/${id}`, undefined, sandbox);
      expect(json.refunds).toMatchObject(refunds);
      expect(json.destination).toEqual(created.json.destination);
    });

    chargeTest(
      'returns 404 for a charge of another merchant or of the other mode',
      async ({ app, merchant, other }) => {
        const { json } = await callAsMerchant(app, merchant, 'POST', '/charges', {
          ...body,
          email: 'mine@example.com',
        });
        for (const keys of [other.keys.live, merchant.keys.sandbox]) {
          const response = await callAsMerchant(app, merchant, 'GET', `/charges/${json.id}`, undefined, keys);
          expect([response.status, response.json.code]).toEqual([404, 'charge_not_found']);
        }
      },
    );
  });

  describe('qrPngUrl and qrSvgUrl', () => {
    chargeTest('show the QR code on other sites while the charge can be paid', async ({ app, merchant }) => {
      const charge = (await callAsMerchant(app, merchant, 'POST', '/charges', body)).json;
      const [png, svg] = await Promise.all(
        [charge.qrPngUrl, charge.qrSvgUrl].map((address) => app.app.inject({ url: toPath(address) })),
      );
      expect(png!.headers).toMatchObject({
        'content-type': 'image/png',
        'cross-origin-resource-policy': 'cross-origin',
      });
      expect(svg!.headers['content-type']).toBe('image/svg+xml');
      expect(svg!.headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(svg!.body).toMatch(/^<svg /);

      await callAsMerchant(app, merchant, 'PATCH', `/charges/${charge.id}/cancel`);
      const { json } = await callAsMerchant(app, merchant, 'GET', `/charges/${charge.id}`);
      expect(json).not.toHaveProperty('qrPngUrl');
      expect((await app.app.inject({ url: toPath(charge.qrSvgUrl) })).statusCode).toBe(404);
    });

    chargeTest('are omitted for a method without a QR code', async ({ app, merchant }) => {
      const input = { ...body, method: 'hk-bank-transfer' };
      const charge = (await callAsMerchant(app, merchant, 'POST', '/charges', input)).json;
      expect(charge.destination.qrCode).toBe('');
      expect(charge).not.toHaveProperty('qrSvgUrl');
    });
  });

  describe('PATCH /charges/{id}/cancel', () => {
    chargeTest('returns the literal true, and 409 the second time', async ({ app, merchant }) => {
      const { json } = await callAsMerchant(app, merchant, 'POST', '/charges', {
        ...body,
        email: 'cancel@example.com',
      });
      const first = await callAsMerchant(app, merchant, 'PATCH', `/charges/${json.id}/cancel`);
      expect([first.status, first.text]).toEqual([200, 'true']);
      const second = await callAsMerchant(app, merchant, 'PATCH', `/charges/${json.id}/cancel`);
      expect([second.status, second.json.code]).toEqual([409, 'charge_not_pending']);
    });
  });

  describe('POST /charges/{id}/complete', () => {
    chargeTest('completes a sandbox charge for its own merchant only', async ({ app, merchant, other }) => {
      const { sandbox } = merchant.keys;
      const { json } = await callAsMerchant(
        app,
        merchant,
        'POST',
        '/charges',
        { ...body, email: 'done@example.com' },
        sandbox,
      );
      const url = `/charges/${json.id}/complete`;
      const rejection = await callAsMerchant(app, merchant, 'POST', url, undefined, other.keys.sandbox);
      expect([rejection.status, rejection.json.code]).toEqual([404, 'charge_not_found']);
      const inEpoch = `${url}?timestamps=epoch`;
      const done = await callAsMerchant(app, merchant, 'POST', inEpoch, undefined, sandbox);
      expect([done.status, done.json.status]).toEqual([200, 'completed']);
      expect(done.json.createdAt).toBe(Date.parse(json.createdAt));
    });
  });

  describe('cancelToken', () => {
    const patch = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
      app.app.inject({ method: 'PATCH', url, headers });
    const newCharge = async (app: TestApp, merchant: NewMerchant) =>
      (
        await callAsMerchant(app, merchant, 'POST', '/charges', {
          ...body,
          email: `cancelled-${randomUUID()}@example.com`,
        })
      ).json;

    chargeTest(
      'cancels its charge once, by header or query, without API credentials',
      async ({ app, merchant }) => {
        const [first, second] = [await newCharge(app, merchant), await newCharge(app, merchant)];
        const byHeader = await patch(app, `/charges/${first.id}/cancel`, {
          'cancel-token': first.cancelToken,
        });
        expect([byHeader.statusCode, byHeader.body]).toEqual([200, 'true']);
        expect(
          (await patch(app, `/charges/${second.id}/cancel?cancelToken=${second.cancelToken}`)).body,
        ).toBe('true');
        expect(
          (await patch(app, `/charges/${first.id}/cancel`, { 'cancel-token': first.cancelToken })).json()
            .code,
        ).toBe('charge_not_pending');
      },
    );

    chargeTest('returns 401 when it is missing or belongs to another charge', async ({ app, merchant }) => {
      const [first, second] = [await newCharge(app, merchant), await newCharge(app, merchant)];
      expect(
        (await patch(app, `/charges/${first.id}/cancel`, { 'cancel-token': second.cancelToken })).statusCode,
      ).toBe(401);
      expect((await patch(app, `/charges/${first.id}/cancel`)).statusCode).toBe(401);
      expect((await callAsMerchant(app, merchant, 'GET', `/charges/${first.id}`)).json.status).toBe(
        'pending',
      );
    });

    chargeTest(
      'cannot cancel a charge that has received money, which the merchant still can',
      async ({ app, merchant }) => {
        const charge = await newCharge(app, merchant);
        const { account, nonce: reference } = charge.destination;
        const part = {
          id: reference,
          method: 'fps',
          account,
          amount: 4,
          currency: 'HKD',
          reference,
          paidAt: new Date().toISOString(),
        };
        expect(
          (await callAsMerchant(app, merchant, 'POST', '/transfers', { transfers: [part] })).json.transfers[0]
            .status,
        ).toBe('partial');
        const rejection = await patch(app, `/charges/${charge.id}/cancel`, {
          'cancel-token': charge.cancelToken,
        });
        expect([rejection.statusCode, rejection.json().code]).toEqual([409, 'charge_not_pending']);
        expect((await callAsMerchant(app, merchant, 'PATCH', `/charges/${charge.id}/cancel`)).text).toBe(
          'true',
        );
      },
    );
  });
});

describe('GET /charges', () => {
  testListFilters(chargeFilterTest, 'charges');

  chargeFilterTest.for([
    'method=cash',
    'method=FPS',
    'status=paid',
    'status=',
    'startDate=2026-11-17',
    'startDate=2026-02-30T00:00:00',
    'startDate=2026-11-17T12:00:00%2B24:00',
    'startDate=2026-11-17T12:00:00.5Z',
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

  chargeFilterTest('accepts the times that the API returns', async ({ filtered }) => {
    const { json } = await get(filtered, 'limit=50');
    const { id, createdAt } = json.charges[3];
    const { json: epoch } = await get(filtered, 'limit=50&timestamps=epoch');
    const ownTime = epoch.charges[3].createdAt;
    const local = new Date(ownTime + 8 * 3_600_000).toISOString().replace('Z', '%2B08:00');
    for (const time of [createdAt, ownTime, local]) {
      const { json: found } = await get(filtered, `startDate=${time}&endDate=${time}`);
      expect(found.charges.map((charge: { id: string }) => charge.id)).toContain(id);
      const { json: later } = await get(filtered, `startDate=${time}&limit=50`);
      expect(later.charges.at(-1).createdAt).toBe(createdAt);
    }
  });

  chargeFilterTest('names the allowed values of a parameter', async ({ filtered }) => {
    const { json } = await get(filtered, 'timestamps=unix');
    expect(json.detail).toBe('/timestamps must be one of iso, epoch');
  });

  chargeFilterTest(
    'returns pages of 10 by default, and an empty page with the correct totals past the end',
    async ({ filtered }) => {
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
    },
  );

  chargeFilterTest(
    'accepts the minimum and maximum dates that programs send for an open range',
    async ({ filtered }) => {
      const { rows: all } = filtered;
      const wide = (await get(filtered, 'startDate=0001-01-01T00:00:00&endDate=9999-12-31T23:59:59&limit=50'))
        .json;
      expect([wide.charges, wide.pagination.total]).toEqual([all, all.length]);
      for (const range of ['startDate=9999-12-31T23:59:59', 'endDate=1969-12-31T23:59:59'])
        expect((await get(filtered, range)).json.pagination.total).toBe(0);
    },
  );

  chargeFilterTest(
    'returns all times of the charge as integers with timestamps=epoch',
    async ({ filtered }) => {
      const { charges } = (await get(filtered, 'limit=1&timestamps=epoch')).json;
      const { createdAt, updatedAt, expiresAt } = charges[0];
      expect([createdAt, updatedAt, expiresAt].map(Number.isInteger)).toEqual([true, true, true]);
      expect(new Date(createdAt).toISOString()).toBe(filtered.rows[0]!.createdAt);
    },
  );

  chargeFilterTest(
    'returns consistent totals and pages while charges are being created',
    async ({ app, service, merchant }) => {
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
    },
  );
});

describe('Secure mode', () => {
  const test = systemTimeAppTest;

  const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown) =>
    callApi(app.app, { method: 'POST', url, keys: merchant.keys.live, body });

  const terms = { merchantAmount: 12.5, merchantCurrency: 'HKD', orders: [{ id: 'a', quantity: 2 }] };

  const charge = (app: TestApp, merchant: NewMerchant, changes: object) =>
    post(app, merchant, '/charges', {
      ...terms,
      email: `${randomUUID()}@example.com`,
      method: 'fps',
      ...changes,
    });

  const setSecureMode = (app: TestApp, merchant: NewMerchant, isSecureModeEnabled: boolean) =>
    app.context.service.prisma.merchant.update({
      where: { id: merchant.merchant.id },
      data: { isSecureModeEnabled },
    });

  describe('POST /charges/hash', () => {
    test('returns the plain hash, which is valid for exactly these terms', async ({ app, merchant }) => {
      const { status, text: hash, headers } = await post(app, merchant, '/charges/hash', terms);
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      for (const method of ['fps', 'paynow'])
        expect((await charge(app, merchant, { hash, method })).status).toBe(201);
      for (const changes of [
        { merchantAmount: 12.51 },
        { merchantCurrency: 'SGD' },
        { orders: [{ id: 'a', quantity: 3 }] },
      ]) {
        expect((await charge(app, merchant, { hash, ...changes })).json.code).toBe('hash_mismatch');
      }
    });

    test('treats empty notification fields as absent, like the checkout URL with a publishable key', async ({
      app,
      merchant,
    }) => {
      const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: '', notifyUrl: '' };
      const { text: hash } = await post(app, merchant, '/charges/hash', covered);
      const query = `amount=20&currency=HKD&notifyPayload=&notifyUrl=&hash=${hash}`;
      const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&${query}`;
      expect((await app.app.inject(address)).statusCode).toBe(200);
    });

    test('returns a different hash for each merchant', async ({ app, merchant }) => {
      const other = await seedMerchant(app.context.service, {}, new Date());
      const otherHash = await callApi(app.app, {
        method: 'POST',
        url: '/charges/hash',
        keys: other.keys.live,
        body: terms,
      });
      expect((await charge(app, merchant, { hash: otherHash.text })).json.code).toBe('hash_mismatch');
    });
  });

  test('Secure mode requires a hash for charges and for the checkout URL with a publishable key', async ({
    app,
    merchant,
  }) => {
    await setSecureMode(app, merchant, true);
    expect((await charge(app, merchant, {})).json.code).toBe('hash_required');
    const { text: hash } = await post(app, merchant, '/charges/hash', terms);
    expect((await charge(app, merchant, { hash })).status).toBe(201);

    const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&amount=20&currency=HKD&notifyPayload=x`;
    const open = async (url: string) => (await app.app.inject(url)).statusCode;
    expect(await open(address)).toBe(422);
    const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: 'x' };
    const { text: addressHash } = await post(app, merchant, '/charges/hash', covered);
    expect(await open(`${address}&hash=${addressHash}`)).toBe(200);
    for (const changed of [
      address.replace('amount=20', 'amount=2'),
      address.replace('notifyPayload=x', 'notifyPayload=y'),
      `${address}&notifyUrl=https://elsewhere.example/`,
    ])
      expect([changed, await open(`${changed}&hash=${addressHash}`)]).toEqual([changed, 422]);
    await setSecureMode(app, merchant, false);
  });
});
