import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { getDestination } from '../setup/checkout.ts';
import { systemTimeAppTest as test } from '../setup/fixtures.ts';
import { seedCharge } from '../setup/seed.ts';

const record = (app: TestApp, merchant: NewMerchant, transfers: unknown[]) =>
  callApi(app.app, { method: 'POST', url: '/transfers', keys: merchant.keys.live, body: { transfers } });

/** A new charge, and the item that pays it. */
async function paidItem(app: TestApp, merchant: NewMerchant, id: string) {
  const input = { email: `${id}@example.com` };
  const charge = await seedCharge(app.context.service, merchant, { input, now: new Date() });
  const { account, nonce: reference } = getDestination(charge);
  const paidAt = new Date().toISOString();
  return { charge, item: { id, method: 'fps', account, amount: 128.5, currency: 'HKD', reference, paidAt } };
}

describe('POST /transfers', () => {
  test('completes the charge whose payment reference a transfer carries', async ({ app, merchant }) => {
    const { charge, item } = await paidItem(app, merchant, 'bank-1');
    const { status, json } = await record(app, merchant, [item, { ...item, id: 'bank-2', paidAt: 'x' }]);
    expect(status).toBe(200);
    expect(json.transfers).toMatchObject([
      { id: 'bank-1', status: 'matched', chargeId: charge.id },
      { id: 'bank-2', status: 'exception', reason: 'invalid' },
    ]);
    const url = `/charges/${charge.id}`;
    const { json: completed } = await callApi(app.app, { method: 'GET', url, keys: merchant.keys.live });
    expect(completed.status).toBe('completed');
  });

  test('accepts 1 to 500 items', async ({ app, merchant }) => {
    const many = (count: number) =>
      record(
        app,
        merchant,
        Array.from({ length: count }, () => ({})),
      );
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

  test.for(changes.map((change, index) => [change, index] as const))(
    'returns an exception for an invalid item, such as one with %o, and records the others',
    async ([change, index], { app, merchant }) => {
      const { charge, item } = await paidItem(app, merchant, `beside-${index}`);
      const { status, json } = await record(app, merchant, [{ ...item, id: 'bad', ...change }, null, item]);
      expect(status).toBe(200);
      expect(json.transfers).toMatchObject([
        { status: 'exception', reason: 'invalid' },
        { status: 'exception', reason: 'invalid' },
        { id: item.id, status: 'matched', chargeId: charge.id },
      ]);
    },
  );
});
