import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { renewSubscriptions } from '../../src/domain/billing/subscription/renew-subscriptions.ts';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import { callApi } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { readInvoices, seedActiveSubscription } from '../setup/subscriptions.ts';
import { payCharge } from '../setup/transfers.ts';
import type { Visitor } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Each setting, changed as a merchant changes it, does what it says over every door. */

let app: GraphqlApp;
let merchant: NewMerchant;
let owner: Visitor;

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

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { service } = app.context;
  const now = new Date();
  const date = now.toISOString().slice(0, 10);
  const rates = { HKD: 9.2, USD: 1.15, SGD: 1.5, IDR: 19000 };
  await importRates(service, { text: JSON.stringify({ base: 'EUR', date, rates }), source: 'test', now });
  await anew();
});

/** A merchant of a test's own; what changes nothing shares one. */
async function anew(): Promise<void> {
  merchant = await seedMerchant(app.context.service, {}, new Date());
  owner = await signInAs('owner', app, merchant);
}

const set = async (input: object) => {
  const { data } = await owner.ask(update, { variables: { input } });
  return data.updateMerchantSettings;
};
const post = (url: string, body: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'POST', url, keys, body });
const get = (url: string, keys = merchant.keys.live) => callApi(app.app, { method: 'GET', url, keys });
let customers = 0;
const charge = (changes: object = {}) =>
  post('/charges', {
    email: `c${++customers}@example.com`,
    merchantAmount: 100,
    merchantCurrency: 'USD',
    method: 'fps',
    ...changes,
  });

describe('updateMerchantSettings', () => {
  test('changes what is given and nothing else; the same over `me`, in both modes', async () => {
    await anew();
    const { merchant: first } = await set({
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
    const { merchant: second } = await set({
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
    const stranger = await app.ask('{ me { timeZone exchangeRateMarkup } }', {
      as: app.otherMerchant.keys.live,
    });
    expect(stranger.data.me).toEqual({ timeZone: 'UTC', exchangeRateMarkup: '0' });
  });

  test('the postal address stands on invoices, without empty lines; an empty one takes it away', async () => {
    await anew();
    const { merchant: changed } = await set({ postalAddress: ' 1 Queen’s Road \r\n\n Hong Kong\n' });
    expect(changed.postalAddress).toBe('1 Queen’s Road\nHong Kong');
    const { service } = app.context;
    const row = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchant.merchant.id } });
    const now = new Date();
    const { id } = await seedActiveSubscription(service, { ...merchant, merchant: row }, { now });
    await renewSubscriptions(service, { now: new Date(now.getTime() + 32 * 24 * 3_600_000) });
    expect(await readInvoices(service, id)).toMatchObject([{ merchantAddress: changed.postalAddress }]);
    expect((await set({ postalAddress: '' })).merchant.postalAddress).toBe('');
  });

  test.each([
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
  ])('%j: refused naming %s, and nothing changes', async (input, path) => {
    const refused = await set({ isSecureModeEnabled: true, ...input });
    expect(refused).toMatchObject({ __typename: 'InvalidRequestError', errors: [{ path }] });
    expect((await owner.ask('{ me { isSecureModeEnabled } }')).data.me.isSecureModeEnabled).toBe(false);
  });

  test('by an owner or a live key that may manage; not by others, nor with what tries out the sandbox', async () => {
    await anew();
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
    await app.context.service.prisma.apiKey.update({
      where: { key: live.apiKey },
      data: { permissions: ['read', 'write', 'refund', 'transfers'] },
    });
    expect((await app.ask(update, { variables, as: live })).data.updateMerchantSettings).toMatchObject(
      denied,
    );
    await app.context.service.prisma.apiKey.update({
      where: { key: live.apiKey },
      data: { permissions: ['manage'] },
    });
    const byLive = await app.ask(update, { variables, as: live });
    expect(byLive.data.updateMerchantSettings.__typename).toBe('UpdateMerchantSettingsSuccess');
  });
});

describe('markup', () => {
  test('is in GET /forex, forex and the charge, to the last digit; the USD volume goes without', async () => {
    await anew();
    await set({ exchangeRateMarkup: '0.015' });
    const { json } = await get('/forex?sourceCurrency=USD&sourceAmount=100&destinationCurrency=HKD');
    expect(json).toEqual({ amount: 812, rate: 8.12 });
    const { data } = await app.ask(
      '{ forex(sourceCurrency: "USD", sourceAmount: "100", destinationCurrency: "HKD") { amount rate source } }',
      { as: merchant.keys.live },
    );
    expect(data.forex).toEqual({ amount: '812.00', rate: '8.12', source: 'test + markup 0.015' });
    const { json: made } = await charge();
    expect(made.customerAmount).toBe(812);
    const row = await app.context.service.prisma.charge.findUniqueOrThrow({ where: { id: made.id } });
    expect([row.rate.toString(), row.rateSource, row.usdAmount]).toEqual([
      '8.12',
      'test + markup 0.015',
      10_000n,
    ]);
    const { json: cheap } = await charge({ merchantCurrency: 'SGD' });
    const unmarked = await app.context.service.prisma.charge.findUniqueOrThrow({ where: { id: cheap.id } });
    expect(unmarked.usdAmount).toBe(7_667n);
  });

  test('is not on a charge that changes no currency', async () => {
    await anew();
    await set({ exchangeRateMarkup: '0.1' });
    expect((await charge({ merchantCurrency: 'HKD' })).json.customerAmount).toBe(100);
  });

  test('an amount by GET /forex is what a charge asks, whole where nobody pays fractions', async () => {
    await set({ exchangeRateMarkup: '0.0333' });
    const { json } = await get('/forex?sourceCurrency=USD&sourceAmount=0.99&destinationCurrency=IDR');
    const { json: made } = await charge({ merchantAmount: 0.99, method: 'id-bank-transfer' });
    expect(made.customerAmount).toBe(json.amount);
    expect(Number.isInteger(json.amount)).toBe(true);
  });
});

test('a payment window is the charge’s, of its method alone; the account’s own goes before it', async () => {
  await anew();
  const window = async (method: string) => {
    const { json } = await charge({ method });
    return (Date.parse(json.expiresAt) - Date.parse(json.createdAt)) / 60_000;
  };
  expect([await window('fps'), await window('hk-bank-transfer')]).toEqual([30, 24 * 60]);
  const { merchant: changed } = await set({ paymentWindows: [{ method: 'fps', minutes: 45 }] });
  expect(changed.paymentWindows).toContainEqual({ method: 'fps', minutes: 45, isCustom: true });
  expect(changed.paymentWindows).toContainEqual({ method: 'toss', minutes: 30, isCustom: false });
  expect([await window('fps'), await window('hk-bank-transfer')]).toEqual([45, 24 * 60]);
  const { id } = merchant.merchant;
  await app.context.service.prisma.receivingAccount.updateMany({
    where: { merchantId: id, method: 'fps' },
    data: { paymentWindowMinutes: 7 },
  });
  expect(await window('fps')).toBe(7);
  await set({ paymentWindows: [] });
  expect(await window('paynow')).toBe(30);
});

test('secure mode asks for a hash, over REST and GraphQL, which createChargeHash makes', async () => {
  await anew();
  await set({ isSecureModeEnabled: true });
  expect((await charge()).json.code).toBe('hash_required');
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
  const { text } = await post('/charges/hash', { merchantAmount: 12.5, merchantCurrency: 'HKD' });
  expect(text).toBe(hash);
});

test('the tolerance completes a charge that is short by as much, and not by more', async () => {
  await anew();
  await set({ underpaymentTolerance: '0.02' });
  const { service } = app.context;
  const pay = async (minor: bigint, terms = {}) => {
    const { json } = await charge({ merchantCurrency: 'HKD', ...terms });
    const row = await service.prisma.charge.findUniqueOrThrow({ where: { id: json.id } });
    await payCharge(service, await fresh(), row, { minor });
    return (await get(`/charges/${json.id}`)).json.status;
  };
  const fresh = async () => ({
    ...merchant,
    merchant: await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchant.merchant.id } }),
  });
  expect([await pay(9_800n), await pay(9_799n)]).toEqual(['completed', 'pending']);
  // Of 12.37 it is 0.2474: less than a quarter.
  const odd = { merchantAmount: 12.37 };
  expect([await pay(1_213n, odd), await pay(1_212n, odd)]).toEqual(['completed', 'pending']);
});

test('an app scheme that is listed may be a redirectUrl, no other', async () => {
  await anew();
  const session = (redirectUrl: string) => post('/sessions', { amount: 5, currency: 'HKD', redirectUrl });
  expect((await session('myshop://paid')).status).toBe(400);
  await set({ redirectSchemes: ['MyShop'] });
  expect((await session('myshop://paid')).status).toBe(201);
  expect((await session('MYSHOP://paid')).status).toBe(201);
  expect((await session('theirshop://paid')).json.code).toBe('invalid_request');
});
