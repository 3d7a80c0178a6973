import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { destinationOf } from '../setup/checkout.ts';
import { makeCharge, makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

const record = (transfers: unknown[]) =>
  callApi(app.app, { method: 'POST', url: '/transfers', keys: merchant.keys.live, body: { transfers } });

/** A charge of its own, and the item that pays it. */
async function paidItem(id: string) {
  const input = { email: `${id}@example.com` };
  const charge = await makeCharge(app.context.service, merchant, { input, now: new Date() });
  const { account, nonce: reference } = destinationOf(charge);
  const paidAt = new Date().toISOString();
  return { charge, item: { id, method: 'fps', account, amount: 128.5, currency: 'HKD', reference, paidAt } };
}

describe('POST /transfers', () => {
  test('completes the charge whose nonce it carries', async () => {
    const { charge, item } = await paidItem('bank-1');
    const { status, json } = await record([item, { ...item, id: 'bank-2', paidAt: 'x' }]);
    expect(status).toBe(200);
    expect(json.transfers).toMatchObject([
      { id: 'bank-1', status: 'matched', chargeId: charge.id },
      { id: 'bank-2', status: 'exception', reason: 'invalid' },
    ]);
    const url = `/charges/${charge.id}`;
    const { json: paid } = await callApi(app.app, { method: 'GET', url, keys: merchant.keys.live });
    expect(paid.status).toBe('completed');
  });

  test('takes 1 to 500 items', async () => {
    const many = (count: number) => record(Array.from({ length: count }, () => ({})));
    expect((await many(0)).status).toBe(400);
    expect((await many(501)).status).toBe(400);
    const { status, json } = await many(500);
    expect([status, json.transfers.length]).toEqual([200, 500]);
  });

  const changes = [
    { amount: null },
    { amount: '5' },
    { reference: null },
    { currency: 'HK dollars' },
    { paidAt: 5 },
    { paidAt: '0001-01-01' },
    { paidAt: '2026-02-30' },
    { surplus: true },
    { id: '' },
  ];

  test.each(changes.map((change, index) => [change, index] as const))(
    'an item that cannot be read, such as one with %o, is an exception by itself, and the others count',
    async (change, index) => {
      const { charge, item } = await paidItem(`beside-${index}`);
      const { status, json } = await record([{ ...item, id: 'bad', ...change }, null, item]);
      expect(status).toBe(200);
      expect(json.transfers).toMatchObject([
        { status: 'exception', reason: 'invalid' },
        { status: 'exception', reason: 'invalid' },
        { id: item.id, status: 'matched', chargeId: charge.id },
      ]);
    },
  );
});
