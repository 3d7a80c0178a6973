import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
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
