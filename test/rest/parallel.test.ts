import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest as test } from '../setup/fixtures.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { seedCharge, seedCompletedCharge } from '../setup/seed.ts';

/** Fifty concurrent requests have one outcome. */

type Ask = { method?: 'POST' | 'PATCH'; url: string; body?: unknown; headers?: Record<string, string> };
const fifty = (app: TestApp, merchant: NewMerchant, { method = 'POST', ...request }: Ask) =>
  Promise.all(
    Array.from({ length: 50 }, () => callApi(app.app, { method, keys: merchant.keys.sandbox, ...request })),
  );
const tally = (responses: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const body = (merchantAmount: number) => ({
  email: 'ada@example.com',
  merchantAmount,
  merchantCurrency: 'HKD',
  method: 'fps',
});
const charges = (app: TestApp, merchant: NewMerchant, merchantAmount: number) =>
  app.context.service.prisma.charge.findMany({
    where: { merchantId: merchant.merchant.id, merchantAmount: BigInt(merchantAmount * 100) },
  });

describe('Fifty concurrent requests', () => {
  test('with one idempotency key create one charge, and all return it', async ({ app, merchant }) => {
    const responses = await fifty(app, merchant, {
      url: '/charges',
      body: body(11),
      headers: { 'idempotency-key': 'one' },
    });
    expect(tally(responses)).toEqual({ 201: 50 });
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
    expect(await charges(app, merchant, 11)).toHaveLength(1);
  });

  test('that are equal create one charge and report duplicates', async ({ app, merchant }) => {
    const responses = await fifty(app, merchant, { url: '/charges', body: body(12) });
    expect(tally(responses)).toEqual({ 200: 49, 201: 1 });
    expect(responses.filter(({ json }) => json.isDuplicate)).toHaveLength(49);
    expect(await charges(app, merchant, 12)).toHaveLength(1);
  });

  test('cancel one charge once', async ({ app, merchant }) => {
    const { id } = await seedCharge(app.context.service, merchant, {
      mode: 'sandbox',
      input: { merchantAmount: 13 },
    });
    const responses = await fifty(app, merchant, { method: 'PATCH', url: `/charges/${id}/cancel` });
    expect(tally(responses)).toEqual({ 200: 1, 409: 49 });
    expect(responses.filter(({ text }) => text === 'true')).toHaveLength(1);
  });

  test('complete one charge once', async ({ app, merchant }) => {
    const { id } = await seedCharge(app.context.service, merchant, {
      mode: 'sandbox',
      input: { merchantAmount: 14 },
    });
    expect(tally(await fifty(app, merchant, { url: `/charges/${id}/complete` }))).toEqual({
      200: 1,
      409: 49,
    });
    const events = await app.context.service.prisma.event.count({
      where: { objectId: id, type: 'CHARGE_COMPLETE' },
    });
    expect(events).toBe(1);
  });

  test('never refund more than was paid, with or without idempotency keys', async ({ app, merchant }) => {
    const charge = await seedCompletedCharge(app.context.service, merchant, {
      input: { merchantAmount: 20 },
    });
    const refund = { chargeId: charge.id, customerAmount: 6 };
    const same = await fifty(app, merchant, {
      url: '/refunds',
      body: refund,
      headers: { 'idempotency-key': 'refund' },
    });
    expect(tally(same)).toEqual({ 201: 50 });
    expect(tally(await fifty(app, merchant, { url: '/refunds', body: refund }))).toEqual({ 201: 2, 422: 48 });
  });

  test('in secure mode each require a hash, and create one charge if they are equal', async ({
    app,
    merchant,
  }) => {
    const { id } = merchant.merchant;
    const terms = { merchantAmount: 15, merchantCurrency: 'HKD' };
    await app.context.service.prisma.merchant.update({ where: { id }, data: { secureMode: true } });
    const { text: hash } = await callApi(app.app, {
      method: 'POST',
      url: '/charges/hash',
      keys: merchant.keys.sandbox,
      body: terms,
    });
    expect(tally(await fifty(app, merchant, { url: '/charges', body: { ...body(15), hash } }))).toEqual({
      200: 49,
      201: 1,
    });
    expect(tally(await fifty(app, merchant, { url: '/charges', body: { ...body(16), hash } }))).toEqual({
      422: 50,
    });
    await app.context.service.prisma.merchant.update({ where: { id }, data: { secureMode: false } });
  });
});

test('A charge of the bare checkout URL is never a duplicate of one from POST /charges', async ({
  app,
  merchant,
}) => {
  const { publishableKey } = merchant.keys.sandbox;
  const visitor = createPageVisitor(app.app);
  const address = `/checkout?apiKey=${publishableKey}&amount=17&currency=HKD&isSandbox=true`;
  const created = await visitor.post(address, { do: 'pay', method: 'fps', email: 'ada@example.com' });
  expect(created.status).toBe(303);
  const { status } = await callApi(app.app, {
    method: 'POST',
    url: '/charges',
    keys: merchant.keys.sandbox,
    body: body(17),
  });
  expect(status).toBe(201);
  expect(await charges(app, merchant, 17)).toHaveLength(2);
});
