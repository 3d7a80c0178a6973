import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { basic, callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

const call = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown) =>
  callApi(app.app, { method, url, keys: merchant.keys.live, body });

const chargeInput = { email: 'ada@example.com', merchantAmount: 10, merchantCurrency: 'HKD', method: 'fps' };

describe('text that cannot be stored is 400 wherever it stands', () => {
  test.each([
    ['GET', '/charges/%00', undefined],
    ['GET', '/sessions/%00/charge', undefined],
    ['PATCH', '/charges/ch_%00/cancel', undefined],
    ['GET', '/charges?customerEmail=%00', undefined],
    ['GET', '/charges?startDate=0000-01-01T00:00:00', undefined],
    ['POST', '/charges', { ...chargeInput, email: 'a\0@b.com' }],
    ['POST', '/charges', { ...chargeInput, email: '\ud800@b.com' }],
    ['POST', '/sessions', { amount: 1, currency: 'HKD', customer: { email: 'a\ud800@b.com' } }],
    ['POST', '/checkout-link', { amount: 1, currency: 'HKD', apiKey: '\0' }],
  ] as const)('%s %s', async (method, url, body) => {
    const { status, json } = await call(method, url, body);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });

  test.each(['/charges/%ff', '/charges/%', '/%zz'])(
    'an address that cannot be decoded, %s, is a problem too',
    async (url) => {
      const answer = await app.app.inject({ url, headers: { authorization: basic(merchant.keys.live) } });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request']);
    },
  );
});

describe('a transfer that cannot be read', () => {
  test.each([
    { amount: null },
    { amount: '5' },
    { reference: null },
    { currency: 'HK dollars' },
    { paidAt: 5 },
    { paidAt: '0001-01-01' },
    { paidAt: '2026-02-30' },
    { surplus: true },
    { id: '' },
  ])('such as one with %o is an exception by itself, and the others count', async (changes) => {
    const input = { ...chargeInput, email: `${Math.random()}@example.com` };
    const { json: charge } = await call('POST', '/charges', input);
    const { account, nonce: reference } = charge.destination;
    const good = {
      id: reference,
      method: 'fps',
      account,
      amount: 10,
      currency: 'HKD',
      reference,
      paidAt: new Date().toISOString(),
    };
    const { status, json } = await call('POST', '/transfers', {
      transfers: [{ ...good, id: 'bad', ...changes }, null, good],
    });
    expect(status).toBe(200);
    expect(json.transfers).toMatchObject([
      { status: 'exception', reason: 'invalid' },
      { status: 'exception', reason: 'invalid' },
      { id: reference, status: 'matched', chargeId: charge.id },
    ]);
  });
});

describe('the cancelToken of a charge', () => {
  const patch = (url: string, headers: Record<string, string> = {}) =>
    app.app.inject({ method: 'PATCH', url, headers });
  const newCharge = async () =>
    (await call('POST', '/charges', { ...chargeInput, email: `${Math.random()}@example.com` })).json;

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
