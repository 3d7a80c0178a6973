import { beforeAll, describe, expect, test } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { pruneIdempotencyKeys } from '../../src/domain/platform/idempotency/prune-idempotency-keys.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { askDatabase } from '../setup/ask-database.ts';
import { testClock } from '../setup/clock.ts';
import { holdTurn } from '../setup/hold-turn.ts';
import { makeMerchant, minutesAfter, noon } from '../setup/makers.ts';
import { makePlan } from '../setup/subscriptions.ts';

let app: TestApp;
let merchant: NewMerchant;
let number = 0;
const clock = testClock(noon);

beforeAll(async () => {
  app = await testApp({ clock });
  merchant = await makeMerchant(app.context.service);
});

const post = (url: string, key: string, body: unknown, keys = merchant.keys.live) =>
  callApi(app.app, { method: 'POST', url, keys, body, headers: { 'idempotency-key': key } });

const chargeInput = () => ({
  email: `once${++number}@example.com`,
  merchantAmount: 10,
  merchantCurrency: 'HKD',
  method: 'fps',
});

describe('an Idempotency-Key', () => {
  test.each([
    ['/charges', chargeInput],
    ['/sessions', () => ({ amount: 10, currency: 'HKD' })],
    ['/charges/hash', () => ({ merchantAmount: 10, merchantCurrency: 'HKD' })],
    ['/checkout-link', () => ({ amount: 10, currency: 'HKD', apiKey: merchant.keys.live.publishableKey })],
  ])('on POST %s repeats the first answer, whatever the order of the members', async (url, makeBody) => {
    const body = makeBody();
    const first = await post(url, `repeat ${url}`, body);
    const again = await post(url, `repeat ${url}`, Object.fromEntries(Object.entries(body).reverse()));
    expect([again.status, again.json]).toEqual([first.status, first.json]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test.each(['/checkout-link', '/subscription-link'])(
    'on POST %s repeats the answer though the publishable key in it has ended since',
    async (url) => {
      const { service } = app.context;
      const own = await makeMerchant(service);
      const { live } = own.keys;
      const plan = await makePlan(service, own);
      const terms =
        url === '/checkout-link' ? { amount: 10, currency: 'HKD' } : { subscriptionPlanId: plan.id };
      const body = { ...terms, apiKey: live.publishableKey };
      const first = await post(url, 'ended', body, live);
      expect(first.status).toBe(200);
      const key = { key: live.publishableKey };
      await service.prisma.apiKey.update({ where: key, data: { revokedAt: noon } });
      const again = await post(url, 'ended', body, live);
      expect([again.status, again.json]).toEqual([200, first.json]);
      expect((await post(url, 'another', body, live)).json.errors[0].path).toBe('/apiKey');
    },
  );

  test('makes one session of 50 requests at once', async () => {
    const body = { amount: 33, currency: 'HKD', notifyPayload: 'fifty' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/sessions', 'fifty', body)));
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(
      await app.context.service.prisma.checkoutSession.count({ where: { notifyPayload: 'fifty' } }),
    ).toBe(1);
  });

  test('is waited for without a connection of the pool: others are served meanwhile', async () => {
    const { service } = app.context;
    const other = await makeMerchant(service);
    const body = { amount: 34, currency: 'HKD' };
    const waiting = () =>
      askDatabase(
        app.connectionString,
        `SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
    const name = `${merchant.merchant.id} live waited for`;
    const asked = await holdTurn(app.connectionString, name, async () => {
      const first = post('/sessions', 'waited for', body);
      await expect.poll(waiting).toBe(1);
      // As many again as the pool has connections, and more.
      const repeats = Array.from({ length: 20 }, () => post('/sessions', 'waited for', body));
      expect((await post('/sessions', 'other', body, other.keys.live)).status).toBe(201);
      expect(await waiting()).toBe(1);
      return [first, ...repeats];
    });
    const [made, ...replayed] = await Promise.all(asked);
    expect(made?.status).toBe(201);
    expect(new Set(replayed.map(({ text }) => text))).toEqual(new Set([made?.text]));
    expect(replayed.every(({ headers }) => headers['idempotent-replayed'] === 'true')).toBe(true);
  });

  // It waits for those 5 seconds.
  test('is refused while the first has been running for 5 seconds', async () => {
    const { status, json } = await holdTurn(app.connectionString, `${merchant.merchant.id} live held`, () =>
      post('/sessions', 'held', { amount: 5, currency: 'HKD' }),
    );
    expect([status, json.code]).toEqual([409, 'idempotency_in_progress']);
  });

  test('on POST /transfers makes the request whole or not at all, and repeats what it told of each', async () => {
    const charge = (await post('/charges', 'to be paid', chargeInput())).json;
    const { nonce, account } = charge.destination;
    const item = { method: 'fps', account, currency: 'HKD', paidAt: noon.toISOString() };
    const transfers = [
      { ...item, id: 'IDEM-1', amount: 10, reference: `tea ${nonce}` },
      { ...item, id: 'IDEM-2', amount: -3, reference: 'not an amount' },
      { ...item, id: 'IDEM-3', amount: 7, reference: 'no word' },
    ];
    const answers = await Promise.all([1, 2, 3].map(() => post('/transfers', 'a feed', { transfers })));
    for (const { status, json } of answers) {
      expect(status).toBe(200);
      expect(json.transfers.map((one: { status: string }) => one.status)).toEqual([
        'matched',
        'exception',
        'exception',
      ]);
      expect(json).toEqual(answers[0]?.json);
    }
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    // Without the key the bank's references tell that it is known.
    const known = await callApi(app.app, {
      method: 'POST',
      url: '/transfers',
      keys: merchant.keys.live,
      body: { transfers },
    });
    expect(known.json.transfers.map((one: { status: string }) => one.status)).toEqual([
      'duplicate',
      'exception',
      'duplicate',
    ]);
    const other = await post('/transfers', 'a feed', { transfers: [{ ...transfers[2], id: 'IDEM-4' }] });
    expect(other.json.code).toBe('idempotency_key_reused');
    expect(await app.context.service.prisma.transfer.count({ where: { bankReference: 'IDEM-4' } })).toBe(0);
  });

  test('with another query is refused: the answer would have its times in another form', async () => {
    const body = chargeInput();
    const first = await post('/charges?timestamps=epoch', 'queried', body);
    expect(first.json.createdAt).toBe(noon.getTime());
    const other = await post('/charges', 'queried', body);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await post('/charges?timestamps=epoch', 'queried', body)).json).toEqual(first.json);
  });

  test('with another body is refused', async () => {
    await post('/sessions', 'reused', { amount: 10, currency: 'HKD' });
    const other = await post('/sessions', 'reused', { amount: 11, currency: 'HKD' });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('of a refused request may be tried again', async () => {
    const body = { amount: 10, currency: 'XOF' };
    expect((await post('/sessions', 'refused', body)).status).toBe(400);
    expect((await post('/sessions', 'refused', { amount: 10, currency: 'HKD' })).status).toBe(201);
  });

  test('belongs to one merchant and mode', async () => {
    const body = { amount: 10, currency: 'HKD' };
    const live = await post('/sessions', 'scoped', body);
    const sandbox = await post('/sessions', 'scoped', body, merchant.keys.sandbox);
    const other = await post(
      '/sessions',
      'scoped',
      body,
      (await makeMerchant(app.context.service)).keys.live,
    );
    const answers = [live, sandbox, other];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(3);
  });

  test('is kept for 24 hours, encrypted', async () => {
    const body = { amount: 10, currency: 'HKD' };
    const first = await post('/sessions', 'kept', body);
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({ where: { key: 'kept' } });
    expect(row.responseEncrypted).not.toContain(first.json.id);
    await post('/sessions', 'kept too', body);
    clock.set(new Date(minutesAfter(noon, 24 * 60).getTime() - 1));
    expect((await post('/sessions', 'kept', body)).json).toEqual(first.json);
    clock.set(minutesAfter(noon, 24 * 60));
    // Whether it has been deleted by then or not.
    expect((await post('/sessions', 'kept', body)).json.id).not.toBe(first.json.id);
    expect(await pruneIdempotencyKeys(app.context.service, { now: clock.now() })).toBeGreaterThan(0);
    const { prisma } = app.context.service;
    expect(await prisma.idempotencyKey.count({ where: { key: { startsWith: 'kept' } } })).toBe(1);
    clock.set(noon);
  });

  test('is not moved by the test clock, which moves the session', async () => {
    const { merchant: own, keys } = await makeMerchant(app.context.service);
    const body = { amount: 10, currency: 'HKD' };
    const first = await post('/sessions', 'clock', body, keys.sandbox);
    await app.context.service.prisma.merchant.update({
      where: { id: own.id },
      data: { testClockOffsetMs: BigInt(8 * dayMs) },
    });
    const again = await post('/sessions', 'clock', body, keys.sandbox);
    expect(again.json).toEqual(first.json);
    const url = `/sessions/${first.json.id}`;
    const { json } = await callApi(app.app, { method: 'GET', url, keys: keys.sandbox });
    expect(json.status).toBe('expired');
  });

  test('has 1 to 255 characters', async () => {
    const body = { amount: 10, currency: 'HKD' };
    expect((await post('/sessions', 'x'.repeat(255), body)).status).toBe(201);
    const answer = await post('/sessions', 'x'.repeat(256), body);
    expect([answer.status, answer.json.code]).toEqual([400, 'invalid_request']);
  });
});
