import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest as test } from '../setup/fixtures.ts';

const call = (
  app: TestApp,
  merchant: NewMerchant,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  body?: unknown,
) => callApi(app.app, { method, url, keys: merchant.keys.live, body });

const chargeInput = { email: 'ada@example.com', merchantAmount: 10, merchantCurrency: 'HKD', method: 'fps' };

describe('Text that cannot be stored', () => {
  test.for([
    ['GET', '/charges/%00', undefined],
    ['GET', '/sessions/%00/charge', undefined],
    ['PATCH', '/charges/ch_%00/cancel', undefined],
    ['GET', '/charges?customerEmail=%00', undefined],
    ['GET', '/charges?startDate=0000-01-01T00:00:00', undefined],
    ['POST', '/charges', { ...chargeInput, email: 'a\0@b.com' }],
    ['POST', '/charges', { ...chargeInput, email: '\ud800@b.com' }],
    ['POST', '/sessions', { amount: 1, currency: 'HKD', customer: { email: 'a\ud800@b.com' } }],
    ['POST', '/checkout-link', { amount: 1, currency: 'HKD', apiKey: '\0' }],
  ] as const)('returns 400 for %s %s', async ([method, url, body], { app, merchant }) => {
    const { status, json } = await call(app, merchant, method, url, body);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });

  test.for(['/charges/%ff', '/charges/%', '/%zz'])(
    'returns a problem for the URL %s, which cannot be decoded',
    async (url, { app, merchant }) => {
      const response = await app.app.inject({
        url,
        headers: { authorization: basicAuth(merchant.keys.live) },
      });
      expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_request']);
    },
  );
});
