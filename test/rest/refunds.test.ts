import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelRefund } from '../../src/domain/payments/refund/cancel-refund.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeCompletedCharge, makeKey, makeMerchant, minutesAfter, noon } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
const clock = testClock(noon);

beforeAll(async () => {
  app = await testApp({ clock });
  merchant = await makeMerchant(app.context.service);
});

type Options = { keys?: NewMerchant['keys']['live']; headers?: Record<string, string> };
const call = (method: 'GET' | 'POST', url: string, body?: unknown, options: Options = {}) =>
  callApi(app.app, { method, url, keys: merchant.keys.sandbox, body, ...options });

const paidCharge = (options: Parameters<typeof makeCompletedCharge>[2] = {}) =>
  makeCompletedCharge(app.context.service, merchant, options);
const refund = (chargeId: string, customerAmount: number, options?: Options) =>
  call('POST', '/refunds', { chargeId, customerAmount }, options);

describe('POST /refunds', () => {
  test('answers 201 with the documented refund and the address for its details', async () => {
    const charge = await paidCharge({
      input: { email: 'Grace@Example.com', merchantAmount: 40, merchantCurrency: 'HKD' },
    });
    const { status, json } = await refund(charge.id, 12.5);
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
      createdAt: noon.toISOString(),
      updatedAt: noon.toISOString(),
    });
    expect((await call('GET', `/refunds/${json.id}`)).json).toEqual(json);
    const { detailsUrl: _, ...shown } = json;
    expect((await call('GET', `/charges/${charge.id}`)).json.refunds).toEqual([shown]);
  });

  test('in a sandbox whose test clock is ahead is dated by it; the mail with the link by the machine', async () => {
    const { service } = app.context;
    const own = await makeMerchant(service);
    const charge = await makeCompletedCharge(service, own);
    const testClockOffsetMs = BigInt(dayMs);
    await service.prisma.merchant.update({ where: { id: own.merchant.id }, data: { testClockOffsetMs } });
    const { json } = await refund(charge.id, 12.5, { keys: own.keys.sandbox });
    expect(json.createdAt).toBe(minutesAfter(noon, 24 * 60).toISOString());
    const mails = await service.prisma.message.findMany({ where: { merchantId: own.merchant.id } });
    expect(mails).toMatchObject([{ kind: 'refund-link', createdAt: noon, finishedAt: noon }]);
  });

  test('gives back in parts until nothing is left, and names what is left', async () => {
    const charge = await paidCharge();
    expect((await refund(charge.id, 100)).status).toBe(201);
    const tooMuch = await refund(charge.id, 28.51);
    expect([tooMuch.status, tooMuch.json.code]).toEqual([422, 'amount_exceeds_refundable']);
    expect(tooMuch.json.detail).toContain('28.50 HKD');
    expect((await refund(charge.id, 28.5)).status).toBe(201);
    expect((await refund(charge.id, 0.01)).json.code).toBe('amount_exceeds_refundable');
  });

  test('a withdrawn refund can be given again', async () => {
    const charge = await paidCharge();
    const { json } = await refund(charge.id, 128.5);
    const { id: merchantId } = merchant.merchant;
    const options = { merchantId, mode: 'sandbox', id: json.id, actor: 'test', now: noon } as const;
    await cancelRefund(app.context.service, options);
    expect((await call('GET', `/refunds/${json.id}`)).json).toMatchObject({ status: 'cancelled' });
    expect((await refund(charge.id, 128.5)).status).toBe(201);
  });

  test.each<[body: object, status: number, code: string]>([
    [{}, 400, 'invalid_request'],
    [{ customerAmount: 1 }, 400, 'invalid_request'],
    [{ chargeId: 'ch_none', customerAmount: 1 }, 404, 'charge_not_found'],
    [{ chargeId: 'paid' }, 400, 'invalid_request'],
    [{ chargeId: 'paid', customerAmount: 0 }, 400, 'invalid_request'],
    [{ chargeId: 'paid', customerAmount: -1 }, 400, 'invalid_request'],
    [{ chargeId: 'paid', customerAmount: 0.001 }, 400, 'invalid_request'],
    [{ chargeId: 'paid', customerAmount: 1, amount: 1 }, 400, 'invalid_request'],
    [{ chargeId: 'paid', customerAmount: 999_999 }, 422, 'amount_exceeds_refundable'],
  ])('%o: %i %s', async (body, status, code) => {
    const isOfPaid = 'chargeId' in body && body.chargeId === 'paid';
    const ofPaid = isOfPaid && { chargeId: (await paidCharge()).id };
    const answer = await call('POST', '/refunds', { ...body, ...ofPaid });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('only whole units where the method knows no others', async () => {
    const charge = await paidCharge({
      input: { merchantAmount: 250_000, merchantCurrency: 'IDR', method: 'id-bank-transfer' },
    });
    const { json } = await refund(charge.id, 100.5);
    expect(json.errors).toEqual([{ path: '/customerAmount', message: 'must be a whole number' }]);
    expect((await refund(charge.id, 100)).status).toBe(201);
  });

  test('of a charge that is not completed: 409; of another merchant or mode: 404; without permission: 403', async () => {
    const pending = await callApi(app.app, {
      method: 'POST',
      url: '/charges',
      keys: merchant.keys.sandbox,
      body: { email: 'p@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
    });
    expect((await refund(pending.json.id, 1)).json.code).toBe('charge_not_completed');
    const charge = await paidCharge();
    const other = await makeMerchant(app.context.service);
    for (const keys of [other.keys.sandbox, merchant.keys.live]) {
      expect((await refund(charge.id, 1, { keys })).json.code).toBe('charge_not_found');
    }
    const keys = await makeKey(app.context.service, merchant, {
      mode: 'sandbox',
      permissions: ['read', 'write'],
    });
    expect((await refund(charge.id, 1, { keys })).json.code).toBe('permission_denied');
  });

  test('is done once for an idempotency key, which is kept 30 days', async () => {
    const charge = await paidCharge();
    const headers = { 'idempotency-key': `refund of ${charge.id}` };
    const first = await refund(charge.id, 10, { headers });
    clock.set(minutesAfter(noon, 29 * 24 * 60));
    const again = await refund(charge.id, 10, { headers });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.json).toEqual(first.json);
    expect((await refund(charge.id, 11, { headers })).json.code).toBe('idempotency_key_reused');
    clock.set(noon);
    expect((await call('GET', `/refunds?chargeId=${charge.id}`)).json.pagination.total).toBe(1);
  });
});

describe('GET /refunds', () => {
  test('lists newest first with exact totals, and filters', async () => {
    const seller = await makeMerchant(app.context.service);
    const keys = seller.keys.sandbox;
    const at = [0, 10, 20].map((minutes) => minutesAfter(noon, minutes));
    const made = [];
    for (const [i, input] of [
      { email: 'ada@example.com' },
      { email: 'bob@example.com', merchantAmount: 10, merchantCurrency: 'SGD', method: 'paynow' },
      { email: 'ada@example.com', merchantAmount: 20 },
    ].entries()) {
      const charge = await makeCompletedCharge(app.context.service, seller, { input });
      clock.set(at[i]!);
      made.push((await refund(charge.id, 5, { keys })).json);
    }
    clock.set(noon);
    const [first, second, third] = made;
    const list = async (query: string) => {
      const { status, json } = await call('GET', `/refunds?${query}`, undefined, { keys });
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
    const { json } = await call('GET', '/refunds?limit=2&page=2', undefined, { keys });
    expect(json).toEqual({ refunds: [first], pagination: { totalPages: 2, total: 3, currentPage: 2 } });
  });

  test('one that is not there, or another’s: 404', async () => {
    const { json } = await refund((await paidCharge()).id, 5);
    for (const keys of [(await makeMerchant(app.context.service)).keys.sandbox, merchant.keys.live]) {
      expect((await call('GET', `/refunds/${json.id}`, undefined, { keys })).json.code).toBe(
        'refund_not_found',
      );
    }
    expect((await call('GET', '/refunds/re_none')).json.code).toBe('refund_not_found');
  });
});
