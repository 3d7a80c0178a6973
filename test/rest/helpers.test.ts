import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { methodCodes } from '../../src/method/catalogue.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';
import { retireAccounts } from '../setup/receiving-accounts.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

const get = (url: string, keys = merchant.keys.live) => callApi(app.app, { method: 'GET', url, keys });
const post = (url: string, body: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'POST', url, keys, body });

describe('GET /methods', () => {
  test('lists what the merchant can receive on, by country, with icons this service serves', async () => {
    const { json } = await get('/methods');
    expect(
      json
        .flatMap((entry: { methods: { method: string }[] }) => entry.methods.map(({ method }) => method))
        .sort(),
    ).toEqual([...methodCodes].sort());
    const hongKong = json.find((entry: { country: string }) => entry.country === 'HK');
    expect(hongKong).toMatchObject({
      currency: 'HKD',
      methods: [
        {
          method: 'fps',
          name: expect.any(String),
          max: 1_000_000,
          icon: expect.stringContaining('/icons/methods/fps.svg'),
        },
        {},
      ],
    });
  });

  test('is empty in live mode for a merchant without accounts, complete in the sandbox', async () => {
    const bare = await makeMerchant(app.context.service, { demoAccounts: false }, new Date());
    expect((await get('/methods', bare.keys.live)).json).toEqual([]);
    expect((await get('/methods', bare.keys.sandbox)).json).toHaveLength(11);
  });

  test('A method whose accounts are all retired is not listed', async () => {
    const own = await makeMerchant(app.context.service, {}, new Date());
    const accounts = { merchantId: own.merchant.id, mode: 'live', method: 'paynow' } as const;
    await retireAccounts(app.context.service, accounts, new Date());
    const { json } = await get('/methods', own.keys.live);
    expect(json.map(({ country }: { country: string }) => country)).not.toContain('SG');
  });
});

describe('GET /currencies and GET /forex', () => {
  test('a pair of listed currencies converts at the rate charges use', async () => {
    const { json: currencies } = await get('/currencies');
    expect(currencies).toContain('HKD');
    expect(currencies).toEqual([...currencies].sort());
    const { json } = await get('/forex?sourceCurrency=USD&sourceAmount=25&destinationCurrency=SGD');
    const charge = await post('/charges', {
      email: 'a@example.com',
      merchantAmount: 25,
      merchantCurrency: 'USD',
      method: 'paynow',
    });
    expect(json.amount).toBe(charge.json.customerAmount);
    expect(json.rate).toBeCloseTo(1.4941 / 1.172, 9);
    expect(String(json.rate).replace('.', '').replace(/^0+/, '').length).toBeLessThanOrEqual(10);
  });

  test.each([
    ['IDR', 'id-bank-transfer'],
    ['VND', 'viettel-pay'],
    ['KRW', 'toss'],
  ])('An amount in %s is quoted in whole units, as a charge by %s asks for it', async (currency, method) => {
    const { json } = await get(
      `/forex?sourceCurrency=USD&sourceAmount=25.37&destinationCurrency=${currency}`,
    );
    const charge = await post('/charges', {
      ...{ email: 'whole@example.com', merchantAmount: 25.37, merchantCurrency: 'USD', method },
    });
    expect([json.amount, json.amount % 1]).toEqual([charge.json.customerAmount, 0]);
  });

  test('every listed currency converts to every other', async () => {
    const { json: currencies } = await get('/currencies');
    expect(new Set(currencies).size).toBe(currencies.length);
    for (const to of currencies) {
      expect(
        (await get(`/forex?sourceCurrency=HKD&sourceAmount=10000&destinationCurrency=${to}`)).status,
      ).toBe(200);
    }
  });

  test('the same currency needs no rate', async () => {
    const { json } = await get('/forex?sourceCurrency=XOF&sourceAmount=100&destinationCurrency=XOF');
    expect(json).toEqual({ amount: 100, rate: 1 });
  });

  test.each([
    ['sourceCurrency=USD&sourceAmount=25', 400, 'invalid_request'],
    ['sourceCurrency=USD&sourceAmount=x&destinationCurrency=SGD', 400, 'invalid_request'],
    ['sourceCurrency=USD&sourceAmount=1&destinationCurrency=XYZ', 422, 'currency_unsupported'],
    ['sourceCurrency=USD&sourceAmount=1&destinationCurrency=XOF', 422, 'rate_unavailable'],
  ])('?%s is %s %s', async (query, status, code) => {
    const answer = await get(`/forex?${query}`);
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('without a feed, live money of a real merchant is not converted at the shipped rates', async () => {
    const real = await makeMerchant(app.context.service, { demoAccounts: false }, new Date());
    const query = '/forex?sourceCurrency=USD&sourceAmount=1&destinationCurrency=SGD';
    expect((await get(query, real.keys.live)).json.code).toBe('rate_unavailable');
    expect((await get('/currencies', real.keys.live)).json).toEqual([]);
    expect((await get(query, real.keys.sandbox)).status).toBe(200);
  });
});

describe('unknown query parameters', () => {
  test.each([
    ['/methods?mode=live', '/mode', 'is unknown'],
    ['/currencies?currency=HKD', '/currency', 'is unknown'],
    [
      '/forex?sourceCurency=USD&sourceAmount=1&destinationCurrency=SGD',
      '/sourceCurency',
      'is unknown; did you mean sourceCurrency?',
    ],
    ['/translations?local=en', '/local', 'is unknown; did you mean locale?'],
  ])('%s: 400 naming the nearest', async (url, path, message) => {
    const { status, json } = await get(url);
    expect([status, json.errors.find((error: { path: string }) => error.path === path)]).toEqual([
      400,
      { path, message },
    ]);
  });
});
