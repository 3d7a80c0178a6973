import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { systemTimeAppTest as test } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

const post = (app: TestApp, merchant: NewMerchant, url: string, body: unknown) =>
  callApi(app.app, { method: 'POST', url, keys: merchant.keys.live, body });
const terms = { merchantAmount: 12.5, merchantCurrency: 'HKD', orders: [{ id: 'a', quantity: 2 }] };
const charge = (app: TestApp, merchant: NewMerchant, changes: object) =>
  post(app, merchant, '/charges', {
    ...terms,
    email: `${randomUUID()}@example.com`,
    method: 'fps',
    ...changes,
  });
const setSecureMode = (app: TestApp, merchant: NewMerchant, secureMode: boolean) =>
  app.context.service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { secureMode } });

describe('POST /charges/hash', () => {
  test('returns the plain hash, which is valid for exactly these terms', async ({ app, merchant }) => {
    const { status, text: hash, headers } = await post(app, merchant, '/charges/hash', terms);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const method of ['fps', 'paynow'])
      expect((await charge(app, merchant, { hash, method })).status).toBe(201);
    for (const changes of [
      { merchantAmount: 12.51 },
      { merchantCurrency: 'SGD' },
      { orders: [{ id: 'a', quantity: 3 }] },
    ]) {
      expect((await charge(app, merchant, { hash, ...changes })).json.code).toBe('hash_mismatch');
    }
  });

  test('treats empty notification fields as absent, like the bare checkout URL', async ({
    app,
    merchant,
  }) => {
    const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: '', notifyUrl: '' };
    const { text: hash } = await post(app, merchant, '/charges/hash', covered);
    const query = `amount=20&currency=HKD&notifyPayload=&notifyUrl=&hash=${hash}`;
    const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&${query}`;
    expect((await app.app.inject(address)).statusCode).toBe(200);
  });

  test('returns a different hash for each merchant', async ({ app, merchant }) => {
    const other = await seedMerchant(app.context.service, {}, new Date());
    const otherHash = await callApi(app.app, {
      method: 'POST',
      url: '/charges/hash',
      keys: other.keys.live,
      body: terms,
    });
    expect((await charge(app, merchant, { hash: otherHash.text })).json.code).toBe('hash_mismatch');
  });
});

test('Secure mode requires a hash for charges and for the bare checkout URL', async ({ app, merchant }) => {
  await setSecureMode(app, merchant, true);
  expect((await charge(app, merchant, {})).json.code).toBe('hash_required');
  const { text: hash } = await post(app, merchant, '/charges/hash', terms);
  expect((await charge(app, merchant, { hash })).status).toBe(201);

  const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&amount=20&currency=HKD&notifyPayload=x`;
  const open = async (url: string) => (await app.app.inject(url)).statusCode;
  expect(await open(address)).toBe(422);
  const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: 'x' };
  const { text: addressHash } = await post(app, merchant, '/charges/hash', covered);
  expect(await open(`${address}&hash=${addressHash}`)).toBe(200);
  for (const changed of [
    address.replace('amount=20', 'amount=2'),
    address.replace('notifyPayload=x', 'notifyPayload=y'),
    `${address}&notifyUrl=https://elsewhere.example/`,
  ])
    expect([changed, await open(`${changed}&hash=${addressHash}`)]).toEqual([changed, 422]);
  await setSecureMode(app, merchant, false);
});
