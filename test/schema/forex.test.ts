import { beforeAll, expect, test } from 'vitest';
import { methodCodes } from '../../src/method/catalogue.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

test('forex converts by the rates charges use', async () => {
  const { data } = await app.ask(
    '{ forex(sourceCurrency: "HKD", sourceAmount: "100", destinationCurrency: "KRW") { amount currency rate source effectiveAt } }',
  );
  expect(data.forex).toMatchObject({
    currency: 'KRW',
    amount: expect.stringMatching(/^\d+$/),
    rate: '172.6296453',
  });
  const charge = await app.ask(
    `mutation { createCharge(input: { email: "a@b.co", merchantAmount: "100", merchantCurrency: "HKD", method: toss }) {
      ... on CreateChargeSuccess { charge { customerAmount exchangeRate { rate } } } } }`,
  );
  expect(charge.data.createCharge.charge).toEqual({
    customerAmount: data.forex.amount,
    exchangeRate: { rate: data.forex.rate },
  });
});

test('forex refuses in errors, with the code of the catalogue', async () => {
  const forex = (from: string, amount: string, to: string) =>
    `{ forex(sourceCurrency: "${from}", sourceAmount: "${amount}", destinationCurrency: "${to}") { amount } }`;
  const codeOf = async (query: string) => (await app.ask(query)).errors[0].extensions.code;
  expect(await codeOf(forex('HKD', '1', 'XXX'))).toBe('currency_unsupported');
  expect(await codeOf(forex('HKD', '1', 'XAF'))).toBe('rate_unavailable');
  expect(await codeOf(forex('HKD', '0', 'USD'))).toBe('invalid_request');
});

test('currencies are those with a rate, paymentMethods those you can receive on', async () => {
  const { data } = await app.ask(
    '{ currencies paymentMethods { code name country currency minAmount maxAmount iconUrl } }',
  );
  expect(data.currencies).toEqual(expect.arrayContaining(['EUR', 'HKD', 'USD']));
  expect(data.paymentMethods).toHaveLength(methodCodes.length);
  expect(data.paymentMethods[0]).toEqual({
    code: 'fps',
    name: 'FPS',
    country: 'HK',
    currency: 'HKD',
    minAmount: '0.01',
    maxAmount: '1000000.00',
    iconUrl: 'http://127.0.0.1:4000/icons/methods/fps.svg',
  });
});
