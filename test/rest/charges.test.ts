import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
let other: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
  other = await makeMerchant(app.context.service, {}, new Date());
});

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method, url, keys, body });

const body = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

describe('POST /charges', () => {
  test('answers 201 with the documented charge', async () => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const sent = orders.map((order) => ({ ...order, currency: 'HKD' }));
    const input = { ...body, orders: sent, notifyPayload: 'b3JkZXI=' };
    const { status, json } = await call('POST', '/charges', input);
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

  test('the same again answers 200 and isDuplicate', async () => {
    const input = { ...body, email: 'again@example.com' };
    const first = await call('POST', '/charges', input);
    const second = await call('POST', '/charges', input);
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.json).toMatchObject({ id: first.json.id, isDuplicate: true });
  });

  test.each([
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
  ])('%o is refused, naming %s', async (input, path, message) => {
    const { status, json } = await call('POST', '/charges', input);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.errors).toContainEqual({ path, message });
  });
});

describe('GET /charges/{id}', () => {
  test('shows the charge, with epoch timestamps when asked for', async () => {
    const created = await call('POST', '/charges', { ...body, email: 'get@example.com' });
    const { json } = await call('GET', `/charges/${created.json.id}`);
    const { isDuplicate: _, cancelToken: __, ...charge } = created.json;
    expect(json).toEqual(charge);
    const epoch = await call('GET', `/charges/${created.json.id}?timestamps=epoch`);
    expect(epoch.json.createdAt).toBe(Date.parse(json.createdAt));
  });

  test('A refunded charge lists its refunds, newest first', async () => {
    const { sandbox } = merchant.keys;
    const created = await call('POST', '/charges', { ...body, email: 'refunded@example.com' }, sandbox);
    const { id } = created.json;
    await call('POST', `/charges/${id}/complete`, undefined, sandbox);
    const refunds = [];
    for (const customerAmount of [20, 8.5]) {
      const { json } = await call('POST', '/refunds', { chargeId: id, customerAmount }, sandbox);
      refunds.unshift({ id: json.id, chargeId: id, customerAmount, status: 'initiated' });
    }
    const { json } = await call('GET', `/charges/${id}`, undefined, sandbox);
    expect(json.refunds).toMatchObject(refunds);
    expect(json.destination).toEqual(created.json.destination);
  });

  test('another merchant’s charge, and the other mode’s, do not exist', async () => {
    const { json } = await call('POST', '/charges', { ...body, email: 'mine@example.com' });
    for (const keys of [other.keys.live, merchant.keys.sandbox]) {
      const answer = await call('GET', `/charges/${json.id}`, undefined, keys);
      expect([answer.status, answer.json.code]).toEqual([404, 'charge_not_found']);
    }
  });
});

describe('PATCH /charges/{id}/cancel', () => {
  test('answers the literal true, and 409 the second time', async () => {
    const { json } = await call('POST', '/charges', { ...body, email: 'cancel@example.com' });
    const first = await call('PATCH', `/charges/${json.id}/cancel`);
    expect([first.status, first.text]).toEqual([200, 'true']);
    const second = await call('PATCH', `/charges/${json.id}/cancel`);
    expect([second.status, second.json.code]).toEqual([409, 'charge_not_pending']);
  });
});

describe('POST /charges/{id}/complete', () => {
  test('completes a charge of the sandbox for its merchant, and for no other', async () => {
    const { sandbox } = merchant.keys;
    const { json } = await call('POST', '/charges', { ...body, email: 'done@example.com' }, sandbox);
    const url = `/charges/${json.id}/complete`;
    const refused = await call('POST', url, undefined, other.keys.sandbox);
    expect([refused.status, refused.json.code]).toEqual([404, 'charge_not_found']);
    const done = await call('POST', url, undefined, sandbox);
    expect([done.status, done.json.status]).toEqual([200, 'completed']);
  });
});

describe('the cancelToken of a charge', () => {
  const patch = (url: string, headers: Record<string, string> = {}) =>
    app.app.inject({ method: 'PATCH', url, headers });
  let made = 0;
  const newCharge = async () =>
    (await call('POST', '/charges', { ...body, email: `cancelled-${++made}@example.com` })).json;

  test('cancels it without API credentials, by header or query, once', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    const byHeader = await patch(`/charges/${one.id}/cancel`, { 'cancel-token': one.cancelToken });
    expect([byHeader.statusCode, byHeader.body]).toEqual([200, 'true']);
    expect((await patch(`/charges/${two.id}/cancel?cancelToken=${two.cancelToken}`)).body).toBe('true');
    expect((await patch(`/charges/${one.id}/cancel`, { 'cancel-token': one.cancelToken })).json().code).toBe(
      'charge_not_pending',
    );
  });

  test('of another charge, or none, is 401', async () => {
    const [one, two] = [await newCharge(), await newCharge()];
    expect((await patch(`/charges/${one.id}/cancel`, { 'cancel-token': two.cancelToken })).statusCode).toBe(
      401,
    );
    expect((await patch(`/charges/${one.id}/cancel`)).statusCode).toBe(401);
    expect((await call('GET', `/charges/${one.id}`)).json.status).toBe('pending');
  });

  test('cannot cancel a charge that has received money; the merchant can', async () => {
    const charge = await newCharge();
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
    expect((await call('POST', '/transfers', { transfers: [part] })).json.transfers[0].status).toBe(
      'partial',
    );
    const refused = await patch(`/charges/${charge.id}/cancel`, { 'cancel-token': charge.cancelToken });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'charge_not_pending']);
    expect((await call('PATCH', `/charges/${charge.id}/cancel`)).text).toBe('true');
  });
});
