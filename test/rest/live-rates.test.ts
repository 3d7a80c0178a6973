import { beforeAll, expect, test } from 'vitest';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';
import { makeReceivingAccount } from '../setup/receiving-accounts.ts';
import { signedInAs } from '../setup/sign-in.ts';

/** Real live money is not converted at rates that are not there, or too old. */

let app: TestApp;
let service: Service;
const now = new Date();

beforeAll(async () => {
  app = await testApp();
  service = app.context.service;
  const date = now.toISOString().slice(0, 10);
  const text = JSON.stringify({ base: 'EUR', date, rates: { HKD: 9.2, USD: 1.15 } });
  await importRates(service, { text, source: 'new', now });
});

const update = `mutation ($input: UpdateMerchantSettingsInput!) {
  updateMerchantSettings(input: $input) { __typename }
}`;
type Keys = Parameters<typeof callApi>[1]['keys'];
const post = (url: string, body: unknown, keys: Keys) =>
  callApi(app.app, { method: 'POST', url, keys, body });
const get = (url: string, keys: Keys) => callApi(app.app, { method: 'GET', url, keys });

test('the age limit of rates holds for charges, sessions, links and the checkout of real live money', async () => {
  const real = await makeMerchant(service, { demoAccounts: false }, now);
  await makeReceivingAccount(service, real, {}, now);
  const { live } = real.keys;
  const old = new Date(now.getTime() - 3 * dayMs).toISOString().slice(0, 10);
  const twoDaysAgo = new Date(now.getTime() - 2 * dayMs);
  const refusals = async () => {
    const body = { amount: 10, currency: 'CHF' };
    const answers = [
      await post(
        '/charges',
        { email: 'r@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' },
        live,
      ),
      await post('/sessions', body, live),
      await post('/checkout-link', { ...body, apiKey: live.publishableKey }, live),
      await get('/forex?sourceCurrency=CHF&sourceAmount=10&destinationCurrency=HKD', live),
    ].map(({ status, json }) => [status, json.code]);
    const page = await app.app.inject(`/checkout?apiKey=${live.publishableKey}&amount=10&currency=CHF`);
    return [...answers, page.statusCode];
  };
  expect(await refusals()).toEqual([
    [422, 'rate_unavailable'],
    [400, 'rate_unavailable'],
    [422, 'rate_unavailable'],
    [422, 'rate_unavailable'],
    422,
  ]);
  const text = JSON.stringify({ base: 'EUR', date: old, rates: { CHF: 0.93 } });
  await importRates(service, { text, source: 'old', now: twoDaysAgo });
  expect((await refusals()).at(0)).toEqual([201, undefined]);
  const realOwner = await signedInAs('owner', app, real);
  await realOwner.ask(update, { variables: { input: { maxRateAgeDays: 1 } } });
  expect(await refusals()).toEqual([
    [422, 'rate_stale'],
    [400, 'rate_stale'],
    [422, 'rate_stale'],
    [422, 'rate_stale'],
    422,
  ]);
  expect((await get('/currencies', live)).json).not.toContain('CHF');
  const sandbox = { email: 's@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' };
  expect((await post('/charges', sandbox, real.keys.sandbox)).status).toBe(201);
});
