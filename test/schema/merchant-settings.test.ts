import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/collection/renew-subscriptions.ts';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import { callApi } from '../setup/api.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { noon, seedMerchant } from '../setup/seed.ts';
import type { SignedInUser } from '../setup/sign-in.ts';
import { signInAs } from '../setup/sign-in.ts';
import { readInvoices, seedActiveSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';

const update = `mutation ($input: UpdateMerchantSettingsInput!) {
  updateMerchantSettings(input: $input) {
    __typename
    ... on UpdateMerchantSettingsSuccess {
      merchant {
        timeZone postalAddress isSecureModeEnabled underpaymentTolerance exchangeRateMarkup maxRateAgeDays redirectSchemes additionalPhoneCountries
        paymentWindows { method minutes isCustom }
      }
    }
    ... on UserError { code message }
    ... on InvalidRequestError { errors { path } }
  }
}`;

const test = fakeTimeGraphqlTest
  .extend('rates', { scope: 'file' }, async ({ service }) => {
    const date = noon.toISOString().slice(0, 10);
    const rates = { HKD: 9.2, USD: 1.15, SGD: 1.5, IDR: 19000 };
    const text = JSON.stringify({ base: 'EUR', date, rates });
    await importRates(service, { text, source: 'test', now: noon });
  })
  .extend('merchant', ({ service, rates: _ }) => seedMerchant(service))
  .extend('owner', ({ app, merchant }) => signInAs('owner', app, merchant));

const set = async (owner: SignedInUser, input: object) => {
  const { data } = await owner.ask(update, { variables: { input } });
  return data.updateMerchantSettings;
};
const post = (
  app: GraphqlApp,
  merchant: NewMerchant,
  url: string,
  body: unknown,
  keys = merchant.keys.live,
) => callApi(app.app, { method: 'POST', url, keys, body });
const get = (app: GraphqlApp, merchant: NewMerchant, url: string, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'GET', url, keys });
const charge = (app: GraphqlApp, merchant: NewMerchant, changes: object = {}) =>
  post(app, merchant, '/charges', {
    email: `${crypto.randomUUID()}@example.com`,
    merchantAmount: 100,
    merchantCurrency: 'USD',
    method: 'fps',
    ...changes,
  });

describe('updateMerchantSettings', () => {
  test('changes only the given settings, for both modes', async ({ app, merchant, owner }) => {
    const { merchant: first } = await set(owner, {
      timeZone: 'Asia/Hong_Kong',
      additionalPhoneCountries: ['US', 'GB', 'US'],
    });
    expect(first).toMatchObject({
      timeZone: 'Asia/Hong_Kong',
      additionalPhoneCountries: ['GB', 'US'],
      exchangeRateMarkup: '0',
      maxRateAgeDays: 6,
      isSecureModeEnabled: false,
    });
    const { merchant: second } = await set(owner, {
      maxRateAgeDays: 2,
      exchangeRateMarkup: '0.0125',
      redirectSchemes: ['MyShop'],
    });
    expect(second).toMatchObject({
      timeZone: 'Asia/Hong_Kong',
      exchangeRateMarkup: '0.0125',
      maxRateAgeDays: 2,
      redirectSchemes: ['myshop'],
    });
    const { data } = await app.ask('{ me { timeZone exchangeRateMarkup additionalPhoneCountries } }', {
      as: merchant.keys.sandbox,
    });
    expect(data.me).toEqual({
      timeZone: 'Asia/Hong_Kong',
      exchangeRateMarkup: '0.0125',
      additionalPhoneCountries: ['GB', 'US'],
    });
    const other = await app.ask('{ me { timeZone exchangeRateMarkup } }', {
      as: app.otherMerchant.keys.live,
    });
    expect(other.data.me).toEqual({ timeZone: 'UTC', exchangeRateMarkup: '0' });
  });

  test('sets the postal address of invoices, without empty lines, and null removes it', async ({
    service,
    merchant,
    clock,
    owner,
  }) => {
    const { merchant: changed } = await set(owner, { postalAddress: ' 1 Queen’s Road \r\n\n Hong Kong\n' });
    expect(changed.postalAddress).toBe('1 Queen’s Road\nHong Kong');
    const row = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchant.merchant.id } });
    const now = clock.now();
    const { id } = await seedActiveSubscription(service, { ...merchant, merchant: row }, { now });
    await renewSubscriptions(service, { now: new Date(now.getTime() + 32 * 24 * 3_600_000) });
    expect(await readInvoices(service, id)).toMatchObject([{ merchantAddress: changed.postalAddress }]);
    expect((await set(owner, { maxRateAgeDays: 7 })).merchant.postalAddress).toBe(changed.postalAddress);
    expect((await set(owner, { postalAddress: null })).merchant.postalAddress).toBeNull();
  });

  test.for([
    [{ postalAddress: 'x\n'.repeat(9) }, '/postalAddress'],
    [{ postalAddress: 'x'.repeat(501) }, '/postalAddress'],
    [{ timeZone: 'Asia/Hongkong' }, '/timeZone'],
    [{ timeZone: '+08:00' }, '/timeZone'],
    [{ underpaymentTolerance: '0.0201' }, '/underpaymentTolerance'],
    [{ underpaymentTolerance: '-0.01' }, '/underpaymentTolerance'],
    [{ underpaymentTolerance: '0.00001' }, '/underpaymentTolerance'],
    [{ exchangeRateMarkup: '0.1001' }, '/exchangeRateMarkup'],
    [{ exchangeRateMarkup: '-0.01' }, '/exchangeRateMarkup'],
    [{ maxRateAgeDays: 0 }, '/maxRateAgeDays'],
    [{ maxRateAgeDays: 32 }, '/maxRateAgeDays'],
    [{ redirectSchemes: ['myshop', 'javascript'] }, '/redirectSchemes/1'],
    [{ redirectSchemes: ['DATA'] }, '/redirectSchemes/0'],
    [{ redirectSchemes: ['https'] }, '/redirectSchemes/0'],
    [{ redirectSchemes: ['my shop'] }, '/redirectSchemes/0'],
    [{ redirectSchemes: Array.from({ length: 21 }, (_, i) => `shop${i}`) }, '/redirectSchemes'],
    [{ paymentWindows: [{ method: 'fps', minutes: 4 }] }, '/paymentWindows/0/minutes'],
    [{ paymentWindows: [{ method: 'fps', minutes: 43_201 }] }, '/paymentWindows/0/minutes'],
    [
      {
        paymentWindows: [
          { method: 'fps', minutes: 9 },
          { method: 'fps', minutes: 9 },
        ],
      },
      '/paymentWindows/1/method',
    ],
  ] as const)('rejects %j with the path %s, and changes nothing', async ([input, path], { owner }) => {
    const rejected = await set(owner, { isSecureModeEnabled: true, ...input });
    expect(rejected).toMatchObject({ __typename: 'InvalidRequestError', errors: [{ path }] });
    expect((await owner.ask('{ me { isSecureModeEnabled } }')).data.me.isSecureModeEnabled).toBe(false);
  });

  test('is allowed for owners and live keys that may manage, and for no one else or the sandbox', async ({
    app,
    service,
    merchant,
  }) => {
    const variables = { input: { exchangeRateMarkup: '0.01' } };
    const denied = { __typename: 'PermissionError', code: 'permission_denied' };
    for (const role of ['developer', 'support'] as const) {
      const visitor = await signInAs(role, app, merchant);
      for (const mode of ['live', 'sandbox'] as const) {
        const { data } = await visitor.ask(update, { variables, mode });
        expect(data.updateMerchantSettings).toMatchObject(denied);
      }
    }
    const { sandbox, live } = merchant.keys;
    const bySandbox = await app.ask(update, { variables, as: sandbox });
    expect(bySandbox.data.updateMerchantSettings).toMatchObject(denied);
    await service.prisma.apiKey.update({
      where: { key: live.apiKey },
      data: { permissions: ['read', 'write', 'refund', 'transfers'] },
    });
    expect((await app.ask(update, { variables, as: live })).data.updateMerchantSettings).toMatchObject(
      denied,
    );
    await service.prisma.apiKey.update({
      where: { key: live.apiKey },
      data: { permissions: ['manage'] },
    });
    const byLive = await app.ask(update, { variables, as: live });
    expect(byLive.data.updateMerchantSettings.__typename).toBe('UpdateMerchantSettingsSuccess');
  });
});

describe('Exchange rate markup', () => {
  test('is part of GET /forex, forex and the charge, but not of the USD amount', async ({
    app,
    service,
    merchant,
    owner,
  }) => {
    await set(owner, { exchangeRateMarkup: '0.015' });
    const { json } = await get(
      app,
      merchant,
      '/forex?sourceCurrency=USD&sourceAmount=100&destinationCurrency=HKD',
    );
    expect(json).toEqual({ amount: 812, rate: 8.12 });
    const { data } = await app.ask(
      '{ forex(sourceCurrency: "USD", sourceAmount: "100", destinationCurrency: "HKD") { amount rate source } }',
      { as: merchant.keys.live },
    );
    expect(data.forex).toEqual({ amount: '812.00', rate: '8.12', source: 'test + markup 0.015' });
    const { json: created } = await charge(app, merchant);
    expect(created.customerAmount).toBe(812);
    const row = await service.prisma.charge.findUniqueOrThrow({ where: { id: created.id } });
    expect([row.rate.toString(), row.rateSource, row.usdAmount]).toEqual([
      '8.12',
      'test + markup 0.015',
      10_000n,
    ]);
    const { json: cheap } = await charge(app, merchant, { merchantCurrency: 'SGD' });
    const unmarked = await service.prisma.charge.findUniqueOrThrow({ where: { id: cheap.id } });
    expect(unmarked.usdAmount).toBe(7_667n);
  });

  test('does not apply to a charge without a conversion', async ({ app, merchant, owner }) => {
    await set(owner, { exchangeRateMarkup: '0.1' });
    expect((await charge(app, merchant, { merchantCurrency: 'HKD' })).json.customerAmount).toBe(100);
  });

  test('gives the same amount in GET /forex and in a charge, without decimals for IDR', async ({
    app,
    merchant,
    owner,
  }) => {
    await set(owner, { exchangeRateMarkup: '0.0333' });
    const { json } = await get(
      app,
      merchant,
      '/forex?sourceCurrency=USD&sourceAmount=0.99&destinationCurrency=IDR',
    );
    const { json: created } = await charge(app, merchant, {
      merchantAmount: 0.99,
      method: 'id-bank-transfer',
    });
    expect(created.customerAmount).toBe(json.amount);
    expect(Number.isInteger(json.amount)).toBe(true);
  });
});

test('A payment window applies to charges of its method, unless the account has its own', async ({
  app,
  service,
  merchant,
  owner,
}) => {
  const window = async (method: string) => {
    const { json } = await charge(app, merchant, { method });
    return (Date.parse(json.expiresAt) - Date.parse(json.createdAt)) / 60_000;
  };
  expect([await window('fps'), await window('hk-bank-transfer')]).toEqual([30, 24 * 60]);
  const { merchant: changed } = await set(owner, { paymentWindows: [{ method: 'fps', minutes: 45 }] });
  expect(changed.paymentWindows).toContainEqual({ method: 'fps', minutes: 45, isCustom: true });
  expect(changed.paymentWindows).toContainEqual({ method: 'toss', minutes: 30, isCustom: false });
  expect([await window('fps'), await window('hk-bank-transfer')]).toEqual([45, 24 * 60]);
  const { id } = merchant.merchant;
  await service.prisma.receivingAccount.updateMany({
    where: { merchantId: id, method: 'fps' },
    data: { paymentWindowMinutes: 7 },
  });
  expect(await window('fps')).toBe(7);
  await set(owner, { paymentWindows: [] });
  expect(await window('paynow')).toBe(30);
});

test('Secure mode requires the hash of createChargeHash, over REST and GraphQL', async ({
  app,
  merchant,
  owner,
}) => {
  await set(owner, { isSecureModeEnabled: true });
  expect((await charge(app, merchant)).json.code).toBe('hash_required');
  const create = `mutation ($hash: String) {
    createCharge(input: { email: "h@example.com", merchantAmount: "12.50", merchantCurrency: "HKD", method: fps, hash: $hash }) {
      __typename ... on UserError { code }
    }
  }`;
  const as = merchant.keys.live;
  expect((await app.ask(create, { as })).data.createCharge.code).toBe('hash_required');
  const { data } = await app.ask(
    'mutation { createChargeHash(input: { merchantAmount: "12.50", merchantCurrency: "HKD" }) { ... on CreateChargeHashSuccess { hash } } }',
    { as },
  );
  const { hash } = data.createChargeHash;
  expect(
    (await app.ask(create, { as, variables: { hash: hash.replace(/./g, '0') } })).data.createCharge.code,
  ).toBe('hash_mismatch');
  expect((await app.ask(create, { as, variables: { hash } })).data.createCharge.__typename).toBe(
    'CreateChargeSuccess',
  );
  const { text } = await post(app, merchant, '/charges/hash', {
    merchantAmount: 12.5,
    merchantCurrency: 'HKD',
  });
  expect(text).toBe(hash);
});

test('The underpayment tolerance completes a charge that is short by that share at most', async ({
  app,
  service,
  merchant,
  owner,
}) => {
  await set(owner, { underpaymentTolerance: '0.02' });
  const pay = async (minor: bigint, terms = {}) => {
    const { json } = await charge(app, merchant, { merchantCurrency: 'HKD', ...terms });
    const row = await service.prisma.charge.findUniqueOrThrow({ where: { id: json.id } });
    await payCharge(service, await fresh(), row, { minor, now: noon });
    return (await get(app, merchant, `/charges/${json.id}`)).json.status;
  };
  const fresh = async () => ({
    ...merchant,
    merchant: await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchant.merchant.id } }),
  });
  expect([await pay(9_800n), await pay(9_799n)]).toEqual(['completed', 'pending']);
  // The tolerance of 12.37 is 0.2474, which is less than 0.25.
  const odd = { merchantAmount: 12.37 };
  expect([await pay(1_213n, odd), await pay(1_212n, odd)]).toEqual(['completed', 'pending']);
});

test('A redirectUrl may have a listed app scheme, and no other', async ({ app, merchant, owner }) => {
  const session = (redirectUrl: string) =>
    post(app, merchant, '/sessions', { amount: 5, currency: 'HKD', redirectUrl });
  expect((await session('myshop://paid')).status).toBe(400);
  await set(owner, { redirectSchemes: ['MyShop'] });
  expect((await session('myshop://paid')).status).toBe(201);
  expect((await session('MYSHOP://paid')).status).toBe(201);
  expect((await session('theirshop://paid')).json.code).toBe('invalid_request');
});
