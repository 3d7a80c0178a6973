import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { testClock } from '../setup/clock.ts';
import { makeCharge, makeCompletedCharge, makeMerchant, noon } from '../setup/makers.ts';
import { pageVisitor } from '../setup/page-visitor.ts';

/** Fifty requests at the same time come to one outcome. */

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp({ clock: testClock(noon) });
  merchant = await makeMerchant(app.context.service);
  // The first request of all loads what the others find: that is no part of what they race for.
  await callApi(app.app, { method: 'POST', url: '/charges', keys: merchant.keys.sandbox, body: body(10) });
});

type Ask = { method?: 'POST' | 'PATCH'; url: string; body?: unknown; headers?: Record<string, string> };
const fifty = ({ method = 'POST', ...ask }: Ask) =>
  Promise.all(
    Array.from({ length: 50 }, () => callApi(app.app, { method, keys: merchant.keys.sandbox, ...ask })),
  );
const tally = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const body = (merchantAmount: number) => ({
  email: 'ada@example.com',
  merchantAmount,
  merchantCurrency: 'HKD',
  method: 'fps',
});
const charges = (merchantAmount: number) =>
  app.context.service.prisma.charge.findMany({
    where: { merchantId: merchant.merchant.id, merchantAmount: BigInt(merchantAmount * 100) },
  });

describe('fifty at once', () => {
  test('with one idempotency key make one charge, and all get its answer', async () => {
    const answers = await fifty({ url: '/charges', body: body(11), headers: { 'idempotency-key': 'one' } });
    expect(tally(answers)).toEqual({ 201: 50 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
    expect(await charges(11)).toHaveLength(1);
  });

  test('that are equal make one charge; the others are told so', async () => {
    const answers = await fifty({ url: '/charges', body: body(12) });
    expect(tally(answers)).toEqual({ 200: 49, 201: 1 });
    expect(answers.filter(({ json }) => json.isDuplicate)).toHaveLength(49);
    expect(await charges(12)).toHaveLength(1);
  });

  test('cancel one charge once', async () => {
    const { id } = await makeCharge(app.context.service, merchant, {
      mode: 'sandbox',
      input: { merchantAmount: 13 },
    });
    const answers = await fifty({ method: 'PATCH', url: `/charges/${id}/cancel` });
    expect(tally(answers)).toEqual({ 200: 1, 409: 49 });
    expect(answers.filter(({ text }) => text === 'true')).toHaveLength(1);
  });

  test('complete one charge once', async () => {
    const { id } = await makeCharge(app.context.service, merchant, {
      mode: 'sandbox',
      input: { merchantAmount: 14 },
    });
    expect(tally(await fifty({ url: `/charges/${id}/complete` }))).toEqual({ 200: 1, 409: 49 });
    const events = await app.context.service.prisma.event.count({
      where: { objectId: id, type: 'CHARGE_COMPLETE' },
    });
    expect(events).toBe(1);
  });

  test('give no more back than was paid, also under idempotency keys', async () => {
    const charge = await makeCompletedCharge(app.context.service, merchant, {
      input: { merchantAmount: 20 },
    });
    const refund = { chargeId: charge.id, customerAmount: 6 };
    const same = await fifty({ url: '/refunds', body: refund, headers: { 'idempotency-key': 'refund' } });
    expect(tally(same)).toEqual({ 201: 50 });
    expect(tally(await fifty({ url: '/refunds', body: refund }))).toEqual({ 201: 2, 422: 48 });
  });

  test('under secure mode each needs its hash, and equal ones are one charge', async () => {
    const { id } = merchant.merchant;
    const terms = { merchantAmount: 15, merchantCurrency: 'HKD' };
    await app.context.service.prisma.merchant.update({ where: { id }, data: { secureMode: true } });
    const { text: hash } = await callApi(app.app, {
      method: 'POST',
      url: '/charges/hash',
      keys: merchant.keys.sandbox,
      body: terms,
    });
    expect(tally(await fifty({ url: '/charges', body: { ...body(15), hash } }))).toEqual({ 200: 49, 201: 1 });
    expect(tally(await fifty({ url: '/charges', body: { ...body(16), hash } }))).toEqual({ 422: 50 });
    await app.context.service.prisma.merchant.update({ where: { id }, data: { secureMode: false } });
  });
});

test('a charge of the bare checkout address is never merged with one of POST /charges', async () => {
  const { publishableKey } = merchant.keys.sandbox;
  const visitor = pageVisitor(app.app);
  const address = `/checkout?apiKey=${publishableKey}&amount=17&currency=HKD&isSandbox=true`;
  const made = await visitor.post(address, { do: 'pay', method: 'fps', email: 'ada@example.com' });
  expect(made.status).toBe(303);
  const { status } = await callApi(app.app, {
    method: 'POST',
    url: '/charges',
    keys: merchant.keys.sandbox,
    body: body(17),
  });
  expect(status).toBe(201);
  expect(await charges(17)).toHaveLength(2);
});
