import { expect } from 'vitest';
import { importRates } from '../../src/domain/platform/forex/import-rates.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest } from '../setup/fixtures.ts';
import { seedReceivingAccount } from '../setup/receiving-accounts.ts';
import { seedMerchant } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';

const test = systemTimeAppTest.extend('service', { scope: 'file' }, async ({ app }) => {
  const { service } = app.context;
  const date = now.toISOString().slice(0, 10);
  const text = JSON.stringify({ base: 'EUR', date, rates: { HKD: 9.2, USD: 1.15 } });
  await importRates(service, { text, source: 'new', now });
  return service;
});

/** Real live money is not converted at missing or outdated rates. */

const now = new Date();

const update = `mutation ($input: UpdateMerchantSettingsInput!) {
  updateMerchantSettings(input: $input) { __typename }
}`;
type Keys = Parameters<typeof callApi>[1]['keys'];
const post = (app: TestApp, url: string, body: unknown, keys: Keys) =>
  callApi(app.app, { method: 'POST', url, keys, body });
const get = (app: TestApp, url: string, keys: Keys) => callApi(app.app, { method: 'GET', url, keys });

test('The maximum age of rates applies to live charges, sessions, links and checkouts', async ({
  app,
  service,
}) => {
  const real = await seedMerchant(service, { demoAccounts: false }, now);
  await seedReceivingAccount(service, real, {}, now);
  const { live } = real.keys;
  const old = new Date(now.getTime() - 3 * dayMs).toISOString().slice(0, 10);
  const twoDaysAgo = new Date(now.getTime() - 2 * dayMs);
  const refusals = async () => {
    const body = { amount: 10, currency: 'CHF' };
    const responses = [
      await post(
        app,
        '/charges',
        { email: 'r@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' },
        live,
      ),
      await post(app, '/sessions', body, live),
      await post(app, '/checkout-link', { ...body, apiKey: live.publishableKey }, live),
      await get(app, '/forex?sourceCurrency=CHF&sourceAmount=10&destinationCurrency=HKD', live),
    ].map(({ status, json }) => [status, json.code]);
    const page = await app.app.inject(`/checkout?apiKey=${live.publishableKey}&amount=10&currency=CHF`);
    return [...responses, page.statusCode];
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
  const realOwner = await signInAs('owner', app, real);
  await realOwner.ask(update, { variables: { input: { maxRateAgeDays: 1 } } });
  expect(await refusals()).toEqual([
    [422, 'rate_stale'],
    [400, 'rate_stale'],
    [422, 'rate_stale'],
    [422, 'rate_stale'],
    422,
  ]);
  expect((await get(app, '/currencies', live)).json).not.toContain('CHF');
  const sandbox = { email: 's@example.com', merchantAmount: 10, merchantCurrency: 'CHF', method: 'fps' };
  expect((await post(app, '/charges', sandbox, real.keys.sandbox)).status).toBe(201);
});
