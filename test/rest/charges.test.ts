import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

const test = systemTimeAppTest.extend('other', ({ service }) => seedMerchant(service, {}, new Date()));

const call = (
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  body?: unknown,
  keys = merchant.keys.live,
) => callApi(app.app, { method, url, keys, body });

const body = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

describe('POST /charges', () => {
  test('returns 201 with the documented charge', async ({ app, merchant }) => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const sent = orders.map((order) => ({ ...order, currency: 'HKD' }));
    const input = { ...body, orders: sent, notifyPayload: 'b3JkZXI=' };
    const { status, json } = await call(app, merchant, 'POST', '/charges', input);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      merchantAmount: 128.5,
      merchantCurrency: 'HKD',
      customerAmount: 128.5,
      customerCurrency: 'HKD',
      method: 'fps',
      status: 'pending',
      customer: { email: 'ada@example.com' },
      destination: { accountName: 'Harbour Teas', nonce: expect.stringMatching(/^[A-Z]{5}\d{4}$/) },
      refunds: [],
      notifyPayload: 'b3JkZXI=',
      isDuplicate: false,
      cancelToken: expect.any(String),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(json.orders).toEqual(orders);
    expect(json).not.toHaveProperty('sessionId');
  });

  test('returns 200 and isDuplicate for an equal request', async ({ app, merchant }) => {
    const input = { ...body, email: 'again@example.com' };
    const first = await call(app, merchant, 'POST', '/charges', input);
    const second = await call(app, merchant, 'POST', '/charges', input);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toMatchObject({ id: first.json.id, isDuplicate: true });
  });

  test.for([
    [{ ...body, merchantAmout: 5 }, '/merchantAmout', 'is unknown; did you mean merchantAmount?'],
    [{ ...body, merchantAmount: undefined }, '/merchantAmount', 'is required'],
    [{ ...body, merchantAmount: '128.5' }, '/merchantAmount', 'must be number'],
    [{ ...body, orders: [{ quantity: 1.5 }] }, '/orders/0/quantity', 'must be integer'],
    [
      { ...body, orders: [{ id: 'o-1', currency: 'USD' }] },
      '/orders/0/currency',
      'must be the charge’s currency, HKD',
    ],
    [{ ...body, email: undefined }, '', 'must have an email or a verificationCode'],
  ] as const)('returns 400 for %o and names %s', async ([input, path, message], { app, merchant }) => {
    const { status, json } = await call(app, merchant, 'POST', '/charges', input);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.errors).toContainEqual({ path, message });
  });
});

describe('GET /charges/{id}', () => {
  test('returns the charge, with epoch timestamps on request', async ({ app, merchant }) => {
    const created = await call(app, merchant, 'POST', '/charges', { ...body, email: 'get@example.com' });
    const { json } = await call(app, merchant, 'GET', `/charges/${created.json.id}`);
    const { isDuplicate: _, cancelToken: __, ...charge } = created.json;
    expect(json).toEqual(charge);
    const epoch = await call(app, merchant, 'GET', `/charges/${created.json.id}?timestamps=epoch`);
    expect(epoch.json.createdAt).toBe(Date.parse(json.createdAt));
  });

  test('lists the refunds of the charge, newest first', async ({ app, merchant }) => {
    const { sandbox } = merchant.keys;
    const created = await call(
      app,
      merchant,
      'POST',
      '/charges',
      { ...body, email: 'refunded@example.com' },
      sandbox,
    );
    const { id } = created.json;
    await call(app, merchant, 'POST', `/charges/${id}/complete`, undefined, sandbox);
    const refunds = [];
    for (const customerAmount of [20, 8.5]) {
      const { json } = await call(
        app,
        merchant,
        'POST',
        '/refunds',
        { chargeId: id, customerAmount },
        sandbox,
      );
      refunds.unshift({ id: json.id, chargeId: id, customerAmount, status: 'initiated' });
    }
    const { json } = await call(app, merchant, 'GET', `/charges/${id}`, undefined, sandbox);
    expect(json.refunds).toMatchObject(refunds);
    expect(json.destination).toEqual(created.json.destination);
  });

  test('returns 404 for a charge of another merchant or of the other mode', async ({
    app,
    merchant,
    other,
  }) => {
    const { json } = await call(app, merchant, 'POST', '/charges', { ...body, email: 'mine@example.com' });
    for (const keys of [other.keys.live, merchant.keys.sandbox]) {
      const response = await call(app, merchant, 'GET', `/charges/${json.id}`, undefined, keys);
      expect([response.status, response.json.code]).toEqual([404, 'charge_not_found']);
    }
  });
});

describe('PATCH /charges/{id}/cancel', () => {
  test('returns the literal true, and 409 the second time', async ({ app, merchant }) => {
    const { json } = await call(app, merchant, 'POST', '/charges', { ...body, email: 'cancel@example.com' });
    const first = await call(app, merchant, 'PATCH', `/charges/${json.id}/cancel`);
    expect([first.status, first.text]).toEqual([200, 'true']);
    const second = await call(app, merchant, 'PATCH', `/charges/${json.id}/cancel`);
    expect([second.status, second.json.code]).toEqual([409, 'charge_not_pending']);
  });
});

describe('POST /charges/{id}/complete', () => {
  test('completes a sandbox charge for its own merchant only', async ({ app, merchant, other }) => {
    const { sandbox } = merchant.keys;
    const { json } = await call(
      app,
      merchant,
      'POST',
      '/charges',
      { ...body, email: 'done@example.com' },
      sandbox,
    );
    const url = `/charges/${json.id}/complete`;
    const rejection = await call(app, merchant, 'POST', url, undefined, other.keys.sandbox);
    expect([rejection.status, rejection.json.code]).toEqual([404, 'charge_not_found']);
    const done = await call(app, merchant, 'POST', url, undefined, sandbox);
    expect([done.status, done.json.status]).toEqual([200, 'completed']);
  });
});

describe('cancelToken', () => {
  const patch = (app: TestApp, url: string, headers: Record<string, string> = {}) =>
    app.app.inject({ method: 'PATCH', url, headers });
  const newCharge = async (app: TestApp, merchant: NewMerchant) =>
    (
      await call(app, merchant, 'POST', '/charges', {
        ...body,
        email: `cancelled-${randomUUID()}@example.com`,
      })
    ).json;

  test('cancels its charge once, by header or query, without API credentials', async ({ app, merchant }) => {
    const [one, two] = [await newCharge(app, merchant), await newCharge(app, merchant)];
    const byHeader = await patch(app, `/charges/${one.id}/cancel`, { 'cancel-token': one.cancelToken });
    expect([byHeader.statusCode, byHeader.body]).toEqual([200, 'true']);
    expect((await patch(app, `/charges/${two.id}/cancel?cancelToken=${two.cancelToken}`)).body).toBe('true');
    expect(
      (await patch(app, `/charges/${one.id}/cancel`, { 'cancel-token': one.cancelToken })).json().code,
    ).toBe('charge_not_pending');
  });

  test('returns 401 when it is missing or belongs to another charge', async ({ app, merchant }) => {
    const [one, two] = [await newCharge(app, merchant), await newCharge(app, merchant)];
    expect(
      (await patch(app, `/charges/${one.id}/cancel`, { 'cancel-token': two.cancelToken })).statusCode,
    ).toBe(401);
    expect((await patch(app, `/charges/${one.id}/cancel`)).statusCode).toBe(401);
    expect((await call(app, merchant, 'GET', `/charges/${one.id}`)).json.status).toBe('pending');
  });

  test('cannot cancel a charge that has received money, which the merchant still can', async ({
    app,
    merchant,
  }) => {
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
      (await call(app, merchant, 'POST', '/transfers', { transfers: [part] })).json.transfers[0].status,
    ).toBe('partial');
    const rejection = await patch(app, `/charges/${charge.id}/cancel`, {
      'cancel-token': charge.cancelToken,
    });
    expect([rejection.statusCode, rejection.json().code]).toEqual([409, 'charge_not_pending']);
    expect((await call(app, merchant, 'PATCH', `/charges/${charge.id}/cancel`)).text).toBe('true');
  });
});
