import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { createRefund } from '../../src/domain/payments/refund/create-refund.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import { getList, type ListFilter, listFilters, testListFilters } from '../setup/list-filters.ts';
import { minutesAfter, noon, seedApiKey, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';

/** Compares `GET /refunds` with a list in memory: each filter alone, and every pair of filters. */

type Shown = {
  id: string;
  chargeId: string;
  status: string;
  customerCurrency: string;
  createdAt: string;
  customer: { email?: string; phone?: string };
};

/** A time within a second, because an endDate must include its whole second. */
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

const toTime = (minutes: number) => minutesAfter(noon, minutes).toISOString().slice(0, 19);

const from = (minutes: number) => (refund: Shown) =>
  refund.createdAt >= minutesAfter(noon, minutes).toISOString();

function toFilters(rows: Shown[]): ListFilter<Shown>[] {
  const { chargeId } = rows[5]!;
  return listFilters<Shown>({
    chargeId: [[`chargeId=${chargeId}`, (refund) => refund.chargeId === chargeId]],
    status: statuses.map((status) => [`status=${status}`, (refund) => refund.status === status]),
    startDate: [[`startDate=${toTime(5)}`, from(5)]],
    endDate: [[`endDate=${toTime(10)}`, (refund) => !from(11)(refund)]],
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

const refundFilterTest = systemTimeAppTest.extend('filtered', { scope: 'file' }, async ({ app, service }) => {
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

describe('Refund', () => {
  const test = appTest;

  type Options = { keys?: NewMerchant['keys']['live']; headers?: Record<string, string> };

  const call = (
    app: TestApp,
    merchant: NewMerchant,
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    options: Options = {},
  ) => callApi(app.app, { method, url, keys: merchant.keys.sandbox, body, ...options });

  const seedPaidCharge = (
    app: TestApp,
    merchant: NewMerchant,
    options: Parameters<typeof seedCompletedCharge>[2] = {},
  ) => seedCompletedCharge(app.context.service, merchant, options);

  const createRefund = (
    app: TestApp,
    merchant: NewMerchant,
    chargeId: string,
    customerAmount: number,
    options?: Options,
  ) => call(app, merchant, 'POST', '/refunds', { chargeId, customerAmount }, options);

  describe('POST /refunds', () => {
    test('returns 201 with the documented refund and the URL for its details', async ({ app, merchant }) => {
      const charge = await seedPaidCharge(app, merchant, {
        input: { email: 'Grace@Example.com', merchantAmount: 40, merchantCurrency: 'HKD' },
      });
      const { status, json } = await createRefund(app, merchant, charge.id, 12.5);
      expect(status).toBe(201);
      expect(json).toEqual({
        id: expect.stringMatching(/^re_[0-9a-z]{26}$/),
        chargeId: charge.id,
        customer: { id: charge.customerId, email: 'Grace@Example.com' },
        method: 'fps',
        customerAmount: 12.5,
        customerCurrency: 'HKD',
        status: 'initiated',
        detailsUrl: expect.stringMatching(
          /^http:\/\/127\.0\.0\.1:4000\/pay\/refund\/re_[0-9a-z]{26}\.[\w-]{43}\?isSandbox=true$/,
        ),
        payoutReference: expect.stringMatching(/^[0-9A-Z]{10}$/),
        createdAt: noon.toISOString(),
        updatedAt: noon.toISOString(),
      });
      expect((await call(app, merchant, 'GET', `/refunds/${json.id}`)).json).toEqual(json);
      const { detailsUrl: _, ...refundView } = json;
      expect((await call(app, merchant, 'GET', `/charges/${charge.id}`)).json.refunds).toEqual([refundView]);
    });

    test('dates the refund by the sandbox’s test clock, and its mail by the machine clock', async ({
      app,
      merchant,
    }) => {
      const { service } = app.context;
      const ownMerchant = await seedMerchant(service);
      const charge = await seedCompletedCharge(service, ownMerchant);
      const testClockOffsetMs = BigInt(dayMs);
      await service.prisma.merchant.update({
        where: { id: ownMerchant.merchant.id },
        data: { testClockOffsetMs },
      });
      const { json } = await createRefund(app, merchant, charge.id, 12.5, { keys: ownMerchant.keys.sandbox });
      expect(json.createdAt).toBe(minutesAfter(noon, 24 * 60).toISOString());
      const mails = await service.prisma.message.findMany({ where: { merchantId: ownMerchant.merchant.id } });
      expect(mails).toMatchObject([{ kind: 'refund-link', createdAt: noon, finishedAt: noon }]);
    });

    test('accepts partial refunds until nothing is left, and reports the remaining amount', async ({
      app,
      merchant,
    }) => {
      const charge = await seedPaidCharge(app, merchant);
      expect((await createRefund(app, merchant, charge.id, 100)).status).toBe(201);
      const tooMuch = await createRefund(app, merchant, charge.id, 28.51);
      expect([tooMuch.status, tooMuch.json.code]).toEqual([422, 'amount_exceeds_refundable']);
      expect(tooMuch.json.detail).toContain('28.50 HKD');
      expect((await createRefund(app, merchant, charge.id, 28.5)).status).toBe(201);
      expect((await createRefund(app, merchant, charge.id, 0.01)).json.code).toBe(
        'amount_exceeds_refundable',
      );
    });

    test('accepts a new refund in place of a cancelled one', async ({ app, merchant }) => {
      const charge = await seedPaidCharge(app, merchant);
      const { json } = await createRefund(app, merchant, charge.id, 128.5);
      const { id: merchantId } = merchant.merchant;
      const options = { merchantId, mode: 'sandbox', id: json.id, actor: 'user:test', now: noon } as const;
      await cancelRefund(app.context.service, options);
      expect((await call(app, merchant, 'GET', `/refunds/${json.id}`)).json).toMatchObject({
        status: 'cancelled',
      });
      expect((await createRefund(app, merchant, charge.id, 128.5)).status).toBe(201);
    });

    test.for<[body: object, status: number, code: string]>([
      [{}, 400, 'invalid_request'],
      [{ customerAmount: 1 }, 400, 'invalid_request'],
      [{ chargeId: 'ch_none', customerAmount: 1 }, 404, 'charge_not_found'],
      [{ chargeId: 'paid' }, 400, 'invalid_request'],
      [{ chargeId: 'paid', customerAmount: 0 }, 400, 'invalid_request'],
      [{ chargeId: 'paid', customerAmount: -1 }, 400, 'invalid_request'],
      [{ chargeId: 'paid', customerAmount: 0.001 }, 400, 'invalid_request'],
      [{ chargeId: 'paid', customerAmount: 1, amount: 1 }, 400, 'invalid_request'],
      [{ chargeId: 'paid', customerAmount: 999_999 }, 422, 'amount_exceeds_refundable'],
    ] as const)('returns for %o the status %i %s', async ([body, status, code], { app, merchant }) => {
      const isOfPaid = 'chargeId' in body && body.chargeId === 'paid';
      const ofPaid = isOfPaid && { chargeId: (await seedPaidCharge(app, merchant)).id };
      const response = await call(app, merchant, 'POST', '/refunds', { ...body, ...ofPaid });
      expect([response.status, response.json.code]).toEqual([status, code]);
    });

    test('accepts only whole units for a method without decimals', async ({ app, merchant }) => {
      const charge = await seedPaidCharge(app, merchant, {
        input: { merchantAmount: 250_000, merchantCurrency: 'IDR', method: 'id-bank-transfer' },
      });
      const { json } = await createRefund(app, merchant, charge.id, 100.5);
      expect(json.errors).toEqual([{ path: '/customerAmount', message: 'must be a whole number (IDR)' }]);
      expect((await createRefund(app, merchant, charge.id, 100)).status).toBe(201);
    });

    test('returns 409 for a charge that is not completed, 404 for another merchant’s, and 403 without permission', async ({
      app,
      merchant,
    }) => {
      const pending = await callApi(app.app, {
        method: 'POST',
        url: '/charges',
        keys: merchant.keys.sandbox,
        body: { email: 'p@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
      });
      expect((await createRefund(app, merchant, pending.json.id, 1)).json.code).toBe('charge_not_completed');
      const charge = await seedPaidCharge(app, merchant);
      const other = await seedMerchant(app.context.service);
      for (const keys of [other.keys.sandbox, merchant.keys.live]) {
        expect((await createRefund(app, merchant, charge.id, 1, { keys })).json.code).toBe(
          'charge_not_found',
        );
      }
      const keys = await seedApiKey(app.context.service, merchant, {
        mode: 'sandbox',
        permissions: ['read', 'write'],
      });
      expect((await createRefund(app, merchant, charge.id, 1, { keys })).json.code).toBe('permission_denied');
    });

    test('creates one refund for an idempotency key, which is stored for 30 days', async ({
      app,
      clock,
      merchant,
    }) => {
      const charge = await seedPaidCharge(app, merchant);
      const headers = { 'idempotency-key': `refund of ${charge.id}` };
      const first = await createRefund(app, merchant, charge.id, 10, { headers });
      clock.set(minutesAfter(noon, 29 * 24 * 60));
      const repeated = await createRefund(app, merchant, charge.id, 10, { headers });
      expect(repeated.headers['idempotent-replayed']).toBe('true');
      expect(repeated.json).toEqual(first.json);
      expect((await createRefund(app, merchant, charge.id, 11, { headers })).json.code).toBe(
        'idempotency_key_reused',
      );
      clock.set(noon);
      expect((await call(app, merchant, 'GET', `/refunds?chargeId=${charge.id}`)).json.pagination.total).toBe(
        1,
      );
    });
  });

  describe('GET /refunds', () => {
    test('lists refunds newest first with exact totals, and filters them', async ({
      app,
      clock,
      merchant,
    }) => {
      const seller = await seedMerchant(app.context.service);
      const keys = seller.keys.sandbox;
      const times = [0, 10, 20].map((minutes) => minutesAfter(noon, minutes));
      const created = [];
      for (const [i, input] of [
        { email: 'ada@example.com' },
        { email: 'bob@example.com', merchantAmount: 10, merchantCurrency: 'SGD', method: 'paynow' },
        { email: 'ada@example.com', merchantAmount: 20 },
      ].entries()) {
        const charge = await seedCompletedCharge(app.context.service, seller, { input });
        clock.set(times[i]!);
        created.push((await createRefund(app, merchant, charge.id, 5, { keys })).json);
      }
      clock.set(noon);
      const [first, second, third] = created;
      const list = async (query: string) => {
        const { status, json } = await call(app, merchant, 'GET', `/refunds?${query}`, undefined, { keys });
        return status === 200 ? json.refunds.map(({ id }: { id: string }) => id) : json.code;
      };
      expect(await list('')).toEqual([third.id, second.id, first.id]);
      expect(await list(`chargeId=${second.chargeId}`)).toEqual([second.id]);
      expect(await list('customerCurrency=HKD')).toEqual([third.id, first.id]);
      expect(await list('customerEmail=ADA@example.com')).toEqual([third.id, first.id]);
      expect(await list('customerPhone=85251234567')).toEqual([]);
      await app.context.service.prisma.charge.update({
        where: { id: second.chargeId },
        data: { phone: '+85251234567' },
      });
      expect(await list('customerPhone=85251234567')).toEqual([second.id]);
      expect(await list('customerPhone=85251234567&customerEmail=ada@example.com')).toEqual([
        third.id,
        first.id,
      ]);
      expect(await list('status=initiated')).toHaveLength(3);
      expect(await list('status=completed')).toEqual([]);
      expect(await list('status=paid')).toBe('invalid_request');
      expect(await list('startDate=2026-11-17T12:10:00')).toEqual([third.id, second.id]);
      expect(await list('endDate=2026-11-17T12:10:00Z')).toEqual([second.id, first.id]);
      expect(await list('limit=51')).toBe('invalid_request');
      const { json } = await call(app, merchant, 'GET', '/refunds?limit=2&page=2', undefined, { keys });
      expect(json).toEqual({ refunds: [first], pagination: { totalPages: 2, total: 3, currentPage: 2 } });
    });

    test('returns 404 for an unknown refund and for another merchant’s', async ({ app, merchant }) => {
      const { json } = await createRefund(app, merchant, (await seedPaidCharge(app, merchant)).id, 5);
      for (const keys of [(await seedMerchant(app.context.service)).keys.sandbox, merchant.keys.live]) {
        expect((await call(app, merchant, 'GET', `/refunds/${json.id}`, undefined, { keys })).json.code).toBe(
          'refund_not_found',
        );
      }
      expect((await call(app, merchant, 'GET', '/refunds/re_none')).json.code).toBe('refund_not_found');
    });
  });
});

describe('GET /refunds', () => {
  testListFilters(refundFilterTest, 'refunds');
});
