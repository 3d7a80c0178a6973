import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { findMissingRates } from '../../src/domain/accounts/receiving-account/find-charge-currencies.ts';
import { languageCodes, languages } from '../../src/language/languages.ts';
import { methodCodes, paymentMethods } from '../../src/method/catalog.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { graphqlTest, systemTimeAppTest } from '../setup/app-fixtures.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { retireAccounts, seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { seedMerchant } from '../setup/seed.ts';

describe('Helper', () => {
  const test = systemTimeAppTest;

  const get = (app: TestApp, merchant: NewMerchant, url: string, keys = merchant.keys.live) =>
    callApi(app.app, { method: 'GET', url, keys });

  const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown, keys = merchant.keys.live) =>
    callApi(app.app, { method: 'POST', url, keys, body });

  describe('GET /methods', () => {
    test('lists the available methods by country, with icons that the service serves', async ({
      app,
      merchant,
    }) => {
      const { json } = await get(app, merchant, '/methods');
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

    test('is empty in live mode for a merchant without accounts, and complete in the sandbox', async ({
      app,
      merchant,
    }) => {
      const bare = await seedMerchant(app.context.service, { hasDemoAccounts: false }, new Date());
      expect((await get(app, merchant, '/methods', bare.keys.live)).json).toEqual([]);
      expect((await get(app, merchant, '/methods', bare.keys.sandbox)).json).toHaveLength(11);
    });

    test('returns names in the given language', async ({ app, merchant }) => {
      const names = async (query: string) =>
        (await get(app, merchant, `/methods${query}`)).json.flatMap(
          ({ methods }: { methods: { name: string }[] }) => methods.map(({ name }) => name),
        );
      expect(await names('?locale=zh-Hant')).toContain(languages['zh-Hant'].methods['hk-bank-transfer']);
      expect(await names('')).toContain(paymentMethods['hk-bank-transfer'].name);
      expect((await get(app, merchant, '/methods?locale=fr')).status).toBe(400);
    });

    test('omits a method whose accounts are all retired', async ({ app, merchant }) => {
      const ownMerchant = await seedMerchant(app.context.service, {}, new Date());
      const accounts = { merchantId: ownMerchant.merchant.id, mode: 'live', method: 'paynow' } as const;
      await retireAccounts(app.context.service, accounts, new Date());
      const { json } = await get(app, merchant, '/methods', ownMerchant.keys.live);
      expect(json.map(({ country }: { country: string }) => country)).not.toContain('SG');
    });
  });

  describe('GET /currencies and GET /forex', () => {
    test('convert a listed pair of currencies at the rate of charges', async ({ app, merchant }) => {
      const { json: currencies } = await get(app, merchant, '/currencies');
      expect(currencies).toContain('HKD');
      expect(currencies).toEqual([...currencies].sort());
      const { json } = await get(
        app,
        merchant,
        '/forex?sourceCurrency=USD&sourceAmount=25&destinationCurrency=SGD',
      );
      const charge = await post(app, merchant, '/charges', {
        email: 'a@example.com',
        merchantAmount: 25,
        merchantCurrency: 'USD',
        method: 'paynow',
      });
      expect(json.amount).toBe(charge.json.customerAmount);
      expect(json.rate).toBeCloseTo(1.4941 / 1.172, 9);
      expect(String(json.rate).replace('.', '').replace(/^0+/, '').length).toBeLessThanOrEqual(10);
    });

    test.for([
      ['IDR', 'id-bank-transfer'],
      ['VND', 'viettel-pay'],
      ['KRW', 'toss'],
    ] as const)(
      'quote an amount in %s in whole units, as a charge by %s requests it',
      async ([currency, method], { app, merchant }) => {
        const { json } = await get(
          app,
          merchant,
          `/forex?sourceCurrency=USD&sourceAmount=25.37&destinationCurrency=${currency}`,
        );
        const charge = await post(app, merchant, '/charges', {
          ...{ email: 'whole@example.com', merchantAmount: 25.37, merchantCurrency: 'USD', method },
        });
        expect([json.amount, json.amount % 1]).toEqual([charge.json.customerAmount, 0]);
      },
    );

    test('convert every listed currency to every other', async ({ app, merchant }) => {
      const { json: currencies } = await get(app, merchant, '/currencies');
      expect(new Set(currencies).size).toBe(currencies.length);
      for (const to of currencies) {
        expect(
          (await get(app, merchant, `/forex?sourceCurrency=HKD&sourceAmount=10000&destinationCurrency=${to}`))
            .status,
        ).toBe(200);
      }
    });

    test('convert a currency to itself without a rate', async ({ app, merchant }) => {
      const { json } = await get(
        app,
        merchant,
        '/forex?sourceCurrency=XOF&sourceAmount=100&destinationCurrency=XOF',
      );
      expect(json).toEqual({ amount: 100, rate: 1 });
    });

    test.for([
      ['sourceCurrency=USD&sourceAmount=25', 400, 'invalid_request'],
      ['sourceCurrency=USD&sourceAmount=x&destinationCurrency=SGD', 400, 'invalid_request'],
      ['sourceCurrency=USD&sourceAmount=1&destinationCurrency=XYZ', 422, 'currency_unsupported'],
      ['sourceCurrency=USD&sourceAmount=1&destinationCurrency=XOF', 422, 'rate_unavailable'],
    ] as const)('return for ?%s the status %s %s', async ([query, status, code], { app, merchant }) => {
      const response = await get(app, merchant, `/forex?${query}`);
      expect([response.status, response.json.code]).toEqual([status, code]);
    });

    test('do not use the built-in rates for live money of a real merchant', async ({ app, merchant }) => {
      const real = await seedMerchant(app.context.service, { hasDemoAccounts: false }, new Date());
      const query = '/forex?sourceCurrency=USD&sourceAmount=1&destinationCurrency=SGD';
      expect((await get(app, merchant, query, real.keys.live)).json.code).toBe('rate_unavailable');
      expect((await get(app, merchant, '/currencies', real.keys.live)).json).toEqual([]);
      // A price in the currency of an account needs no rate.
      await seedReceivingAccount(app.context.service, real);
      expect((await get(app, merchant, '/currencies', real.keys.live)).json).toEqual(['HKD']);
      expect((await get(app, merchant, query, real.keys.sandbox)).status).toBe(200);
    });
  });

  test('GET /forex, GET /currencies and missing rates use no built-in rates for a real account of a demo merchant', async ({
    app,
  }) => {
    const { service } = app.context;
    const demo = await seedMerchant(service, {}, new Date());
    const quote = async (to: string) =>
      (await get(app, demo, `/forex?sourceCurrency=USD&sourceAmount=1&destinationCurrency=${to}`)).json.code;
    const readMissingRates = () =>
      findMissingRates(service, { merchant: demo.merchant, mode: 'live', now: new Date() });
    expect([await quote('HKD'), await readMissingRates()]).toEqual([undefined, []]);
    await seedReceivingAccount(service, demo);
    const body = { email: 'a@example.com', merchantAmount: 1, merchantCurrency: 'USD', method: 'fps' };
    expect((await post(app, demo, '/charges', body)).json.code).toBe('rate_unavailable');
    expect([await quote('HKD'), await quote('SGD')]).toEqual(['rate_unavailable', undefined]);
    const missingRates = await readMissingRates();
    expect(missingRates).toContainEqual({ from: 'SGD', to: 'HKD' });
    expect(missingRates.filter(({ to }) => to !== 'HKD')).toEqual([]);
    expect((await get(app, demo, '/currencies')).json).toContain('USD');
    await retireAccounts(service, { merchantId: demo.merchant.id, mode: 'live', demo: true }, new Date());
    expect((await get(app, demo, '/currencies')).json).toEqual(['HKD']);
  });

  describe('Unknown query parameter', () => {
    test.for([
      ['/methods?mode=live', '/mode', 'is unknown'],
      ['/currencies?currency=HKD', '/currency', 'is unknown'],
      [
        '/forex?sourceCurency=USD&sourceAmount=1&destinationCurrency=SGD',
        '/sourceCurency',
        'is unknown; did you mean sourceCurrency?',
      ],
      ['/translations?local=en', '/local', 'is unknown; did you mean locale?'],
    ] as const)(
      'in %s returns 400 and suggests the nearest name',
      async ([url, path, message], { app, merchant }) => {
        const { status, json } = await get(app, merchant, url);
        expect([status, json.errors.find((error: { path: string }) => error.path === path)]).toEqual([
          400,
          { path, message },
        ]);
      },
    );
  });
});

describe('GET /translations', () => {
  const test = graphqlTest;

  const get = (app: GraphqlApp, url: string) =>
    callApi(app.app, { method: 'GET', url, keys: app.merchant.keys.live });

  test.for(languageCodes)('returns the strings of the pages for %s', async (locale, { app }) => {
    const { status, json } = await get(app, `/translations?locale=${locale}`);
    expect(status).toBe(200);
    expect(json).toEqual({ translation: languages[locale] });
    const page = await createPageVisitor(app.app).get(`/checkout?lang=${locale}`);
    expect(page.main).toContain(json.translation.errors.incomplete.title);
    const { data } = await app.ask(`{ translation(locale: ${locale.replace('-', '_')}) }`);
    expect(data.translation).toEqual(json.translation);
  });

  test.for([
    '/translations',
    '/translations?locale=fr',
    '/translations?locale=',
    '/translations?locale=en&locale=zh',
    '/translations?lang=en',
  ])('returns 400 for %s', async (url, { app }) => {
    const { status, json } = await get(app, url);
    expect([status, json.code]).toEqual([400, 'invalid_request']);
  });
});
