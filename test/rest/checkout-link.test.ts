import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest as test } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'POST', url, keys, body });

describe('POST /checkout-link', () => {
  const input = (merchant: NewMerchant) => ({
    amount: 20,
    currency: 'USD',
    apiKey: merchant.keys.live.publishableKey,
  });

  test('returns the URL of a checkout page', async ({ app, merchant }) => {
    const { status, json } = await post(app, merchant, '/checkout-link', {
      ...input(merchant),
      paymentMethods: { SG: [], HK: ['fps'] },
    });
    expect(status).toBe(200);
    expect(json.checkoutLink).toMatch(/^http:\/\/127\.0\.0\.1:4000\/checkout\?link=lnk_[0-9a-z]+$/);
  });

  test('returns a URL with isSandbox=true in the sandbox', async ({ app, merchant }) => {
    const { sandbox } = merchant.keys;
    const { json } = await post(
      app,
      merchant,
      '/checkout-link',
      { ...input(merchant), apiKey: sandbox.publishableKey },
      sandbox,
    );
    expect(json.checkoutLink).toMatch(/&isSandbox=true$/);
  });

  test.for([
    [{ paymentMethods: { US: [] } }, '/paymentMethods/US'],
    [{ paymentMethods: { SG: ['fps'] } }, '/paymentMethods/SG/0'],
    [{ apiKey: 'pk_live_unknown' }, '/apiKey'],
    [{ apiKey: undefined }, '/apiKey'],
  ] as const)('returns 400 for %o and names %s', async ([changes, path], { app, merchant }) => {
    const { status, json } = await post(app, merchant, '/checkout-link', { ...input(merchant), ...changes });
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  test('rejects the publishable key of another merchant or of the other mode', async ({ app, merchant }) => {
    const other = await seedMerchant(app.context.service, {}, new Date());
    for (const { publishableKey } of [other.keys.live, merchant.keys.sandbox]) {
      expect(
        (await post(app, merchant, '/checkout-link', { ...input(merchant), apiKey: publishableKey })).status,
      ).toBe(400);
    }
  });
});
