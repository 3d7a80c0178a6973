import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;
let number = 0;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

const post = (url: string, body: unknown) =>
  callApi(app.app, { method: 'POST', url, keys: merchant.keys.live, body });
const terms = { merchantAmount: 12.5, merchantCurrency: 'HKD', orders: [{ id: 'a', quantity: 2 }] };
const charge = (changes: object) =>
  post('/charges', { ...terms, email: `s${++number}@example.com`, method: 'fps', ...changes });
const setSecureMode = (secureMode: boolean) =>
  app.context.service.prisma.merchant.update({ where: { id: merchant.merchant.id }, data: { secureMode } });

describe('POST /charges/hash', () => {
  test('answers the bare hash as text, which opens charges of exactly these terms', async () => {
    const { status, text: hash, headers } = await post('/charges/hash', terms);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    for (const method of ['fps', 'paynow']) expect((await charge({ hash, method })).status).toBe(201);
    for (const changes of [
      { merchantAmount: 12.51 },
      { merchantCurrency: 'SGD' },
      { orders: [{ id: 'a', quantity: 3 }] },
    ]) {
      expect((await charge({ hash, ...changes })).json.code).toBe('hash_mismatch');
    }
  });

  test('takes empty notifications as none, as the bare checkout address does', async () => {
    const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: '', notifyUrl: '' };
    const { text: hash } = await post('/charges/hash', covered);
    const query = `amount=20&currency=HKD&notifyPayload=&notifyUrl=&hash=${hash}`;
    const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&${query}`;
    expect((await app.app.inject(address)).statusCode).toBe(200);
  });

  test('is another for every merchant', async () => {
    const other = await makeMerchant(app.context.service, {}, new Date());
    const theirs = await callApi(app.app, {
      method: 'POST',
      url: '/charges/hash',
      keys: other.keys.live,
      body: terms,
    });
    expect((await charge({ hash: theirs.text })).json.code).toBe('hash_mismatch');
  });
});

test('with secure mode on, charges and the bare checkout address need a hash', async () => {
  await setSecureMode(true);
  expect((await charge({})).json.code).toBe('hash_required');
  const { text: hash } = await post('/charges/hash', terms);
  expect((await charge({ hash })).status).toBe(201);

  const address = `/checkout?apiKey=${merchant.keys.live.publishableKey}&amount=20&currency=HKD&notifyPayload=x`;
  const open = async (url: string) => (await app.app.inject(url)).statusCode;
  expect(await open(address)).toBe(422);
  const covered = { merchantAmount: 20, merchantCurrency: 'HKD', notifyPayload: 'x' };
  const { text: addressHash } = await post('/charges/hash', covered);
  expect(await open(`${address}&hash=${addressHash}`)).toBe(200);
  for (const changed of [
    address.replace('amount=20', 'amount=2'),
    address.replace('notifyPayload=x', 'notifyPayload=y'),
    `${address}&notifyUrl=https://elsewhere.example/`,
  ])
    expect([changed, await open(`${changed}&hash=${addressHash}`)]).toEqual([changed, 422]);
  await setSecureMode(false);
});
