import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

const post = (url: string, body: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'POST', url, keys, body });

describe('POST /checkout-link', () => {
  const input = () => ({ amount: 20, currency: 'USD', apiKey: merchant.keys.live.publishableKey });

  test('answers the address of a page', async () => {
    const { status, json } = await post('/checkout-link', {
      ...input(),
      paymentMethods: { SG: [], HK: ['fps'] },
    });
    expect(status).toBe(200);
    expect(json.checkoutLink).toMatch(/^http:\/\/127\.0\.0\.1:4000\/checkout\?link=lnk_[0-9a-z]+$/);
  });

  test('in the sandbox carries isSandbox=true', async () => {
    const { sandbox } = merchant.keys;
    const { json } = await post('/checkout-link', { ...input(), apiKey: sandbox.publishableKey }, sandbox);
    expect(json.checkoutLink).toMatch(/&isSandbox=true$/);
  });

  test.each([
    [{ paymentMethods: { US: [] } }, '/paymentMethods/US'],
    [{ paymentMethods: { SG: ['fps'] } }, '/paymentMethods/SG/0'],
    [{ apiKey: 'pk_live_unknown' }, '/apiKey'],
    [{ apiKey: undefined }, '/apiKey'],
  ])('%o is refused, naming %s', async (changes, path) => {
    const { status, json } = await post('/checkout-link', { ...input(), ...changes });
    expect([status, json.errors[0].path]).toEqual([400, path]);
  });

  test('with another merchant’s or the other mode’s publishable key is refused', async () => {
    const other = await makeMerchant(app.context.service, {}, new Date());
    for (const { publishableKey } of [other.keys.live, merchant.keys.sandbox]) {
      expect((await post('/checkout-link', { ...input(), apiKey: publishableKey })).status).toBe(400);
    }
  });
});
