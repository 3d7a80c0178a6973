import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { pruneIdempotencyKeys } from '../../src/domain/platform/idempotency/prune-idempotency-keys.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import type { TestApp } from '../setup/app.ts';
import { appTest } from '../setup/app-fixtures.ts';
import { withNamedLock } from '../setup/idempotency.ts';
import { createPageVisitor } from '../setup/page-visitor.ts';
import { queryValue } from '../setup/query-value.ts';
import { minutesAfter, noon, seedCharge, seedCompletedCharge, seedMerchant } from '../setup/seed.ts';
import { seedPlan } from '../setup/subscriptions.ts';

describe('Idempotency-Key', () => {
  const test = appTest;

  const post = (
    app: TestApp,
    merchant: NewMerchant,
    url: string,
    key: string,
    body: unknown,
    keys = merchant.keys.live,
  ) => callApi(app.app, { method: 'POST', url, keys, body, headers: { 'idempotency-key': key } });

  const chargeInput = () => ({
    email: `${randomUUID()}@example.com`,
    merchantAmount: 10,
    merchantCurrency: 'HKD',
    method: 'fps',
  });

  test.for([
    ['/charges', chargeInput],
    ['/sessions', () => ({ amount: 10, currency: 'HKD' })],
    ['/charges/hash', () => ({ merchantAmount: 10, merchantCurrency: 'HKD' })],
    [
      '/checkout-link',
      (merchant: NewMerchant) => ({ amount: 10, currency: 'HKD', apiKey: merchant.keys.live.publishableKey }),
    ],
  ] as const)(
    'on POST %s repeats the first response, regardless of the order of the members',
    async ([url, createBody], { app, merchant }) => {
      const body = createBody(merchant);
      const first = await post(app, merchant, url, `repeat ${url}`, body);
      const repeated = await post(
        app,
        merchant,
        url,
        `repeat ${url}`,
        Object.fromEntries(Object.entries(body).reverse()),
      );
      expect([repeated.status, repeated.json]).toEqual([first.status, first.json]);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect(repeated.headers['idempotent-replayed']).toBe('true');
    },
  );

  test.for(['/checkout-link', '/subscription-link'])(
    'on POST %s repeats the response after its publishable key has been revoked',
    async (url, { app, merchant }) => {
      const { service } = app.context;
      const ownMerchant = await seedMerchant(service);
      const { live } = ownMerchant.keys;
      const plan = await seedPlan(service, ownMerchant);
      const terms =
        url === '/checkout-link' ? { amount: 10, currency: 'HKD' } : { subscriptionPlanId: plan.id };
      const body = { ...terms, apiKey: live.publishableKey };
      const first = await post(app, merchant, url, 'ended', body, live);
      expect(first.status).toBe(200);
      const key = { key: live.publishableKey };
      await service.prisma.apiKey.update({ where: key, data: { revokedAt: noon } });
      const repeated = await post(app, merchant, url, 'ended', body, live);
      expect([repeated.status, repeated.json]).toEqual([200, first.json]);
      expect((await post(app, merchant, url, 'another', body, live)).json.errors[0].path).toBe('/apiKey');
    },
  );

  test('creates one session for 50 concurrent requests', async ({ app, merchant }) => {
    const body = { amount: 33, currency: 'HKD', notifyPayload: 'fifty' };
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => post(app, merchant, '/sessions', 'fifty', body)),
    );
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(
      await app.context.service.prisma.checkoutSession.count({ where: { notifyPayload: 'fifty' } }),
    ).toBe(1);
  });

  test('waits for the first request without holding a database connection', async ({ app, merchant }) => {
    const { service } = app.context;
    const other = await seedMerchant(service);
    const body = { amount: 34, currency: 'HKD' };
    const waiting = () =>
      queryValue(
        app.connectionString,
        `SELECT count(*)::int FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event = 'advisory'`,
      );
    const name = `${merchant.merchant.id} live waited for`;
    const pending = await withNamedLock(app.connectionString, name, async () => {
      const first = post(app, merchant, '/sessions', 'waited for', body);
      await expect.poll(waiting).toBe(1);
      // More requests than the pool has connections.
      const repeats = Array.from({ length: 20 }, () => post(app, merchant, '/sessions', 'waited for', body));
      expect((await post(app, merchant, '/sessions', 'other', body, other.keys.live)).status).toBe(201);
      expect(await waiting()).toBe(1);
      return [first, ...repeats];
    });
    const [created, ...replayed] = await Promise.all(pending);
    expect(created?.status).toBe(201);
    expect(new Set(replayed.map(({ text }) => text))).toEqual(new Set([created?.text]));
    expect(replayed.every(({ headers }) => headers['idempotent-replayed'] === 'true')).toBe(true);
  });

  // The request waits for those 5 seconds.
  test('is rejected when the first request has been running for 5 seconds', async ({ app, merchant }) => {
    const { status, json } = await withNamedLock(
      app.connectionString,
      `${merchant.merchant.id} live held`,
      () => post(app, merchant, '/sessions', 'held', { amount: 5, currency: 'HKD' }),
    );
    expect([status, json.code]).toEqual([409, 'idempotency_in_progress']);
  });

  test('makes POST /transfers atomic, and repeats the result of each item', async ({ app, merchant }) => {
    const charge = (await post(app, merchant, '/charges', 'to be paid', chargeInput())).json;
    const { nonce, account } = charge.destination;
    const item = { method: 'fps', account, currency: 'HKD', paidAt: noon.toISOString() };
    const transfers = [
      { ...item, id: 'IDEM-1', amount: 10, reference: `tea ${nonce}` },
      { ...item, id: 'IDEM-2', amount: -3, reference: 'not an amount' },
      { ...item, id: 'IDEM-3', amount: 7, reference: 'no reference' },
    ];
    const responses = await Promise.all(
      [1, 2, 3].map(() => post(app, merchant, '/transfers', 'a feed', { transfers })),
    );
    for (const { status, json } of responses) {
      expect(status).toBe(200);
      expect(json.transfers.map((transfer: { status: string }) => transfer.status)).toEqual([
        'matched',
        'exception',
        'exception',
      ]);
      expect(json).toEqual(responses[0]?.json);
    }
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    // Without the key, the bank reference identifies the duplicate.
    const stored = await callApi(app.app, {
      method: 'POST',
      url: '/transfers',
      keys: merchant.keys.live,
      body: { transfers },
    });
    expect(stored.json.transfers.map((transfer: { status: string }) => transfer.status)).toEqual([
      'duplicate',
      'exception',
      'duplicate',
    ]);
    const other = await post(app, merchant, '/transfers', 'a feed', {
      transfers: [{ ...transfers[2], id: 'IDEM-4' }],
    });
    expect(other.json.code).toBe('idempotency_key_reused');
    expect(await app.context.service.prisma.transfer.count({ where: { bankReference: 'IDEM-4' } })).toBe(0);
  });

  test('is rejected with another query, which could change the format of the response', async ({
    app,
    merchant,
  }) => {
    const body = chargeInput();
    const first = await post(app, merchant, '/charges?timestamps=epoch', 'queried', body);
    expect(first.json.createdAt).toBe(noon.getTime());
    const other = await post(app, merchant, '/charges', 'queried', body);
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
    expect((await post(app, merchant, '/charges?timestamps=epoch', 'queried', body)).json).toEqual(
      first.json,
    );
  });

  test('is rejected with another body', async ({ app, merchant }) => {
    await post(app, merchant, '/sessions', 'reused', { amount: 10, currency: 'HKD' });
    const other = await post(app, merchant, '/sessions', 'reused', { amount: 11, currency: 'HKD' });
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('can be used again after a rejected request', async ({ app, merchant }) => {
    const body = { amount: 10, currency: 'XOF' };
    expect((await post(app, merchant, '/sessions', 'rejected', body)).status).toBe(400);
    expect((await post(app, merchant, '/sessions', 'rejected', { amount: 10, currency: 'HKD' })).status).toBe(
      201,
    );
  });

  test('is separate for each merchant and mode', async ({ app, merchant }) => {
    const body = { amount: 10, currency: 'HKD' };
    const live = await post(app, merchant, '/sessions', 'scoped', body);
    const sandbox = await post(app, merchant, '/sessions', 'scoped', body, merchant.keys.sandbox);
    const other = await post(
      app,
      merchant,
      '/sessions',
      'scoped',
      body,
      (await seedMerchant(app.context.service)).keys.live,
    );
    const responses = [live, sandbox, other];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(responses.map(({ json }) => json.id)).size).toBe(3);
  });

  test('is stored for 24 hours, encrypted', async ({ app, clock, merchant }) => {
    const body = { amount: 10, currency: 'HKD' };
    const first = await post(app, merchant, '/sessions', 'kept', body);
    const row = await app.context.service.prisma.idempotencyKey.findFirstOrThrow({ where: { key: 'kept' } });
    expect(row.responseEncrypted).not.toContain(first.json.id);
    await post(app, merchant, '/sessions', 'kept too', body);
    clock.set(new Date(minutesAfter(noon, 24 * 60).getTime() - 1));
    expect((await post(app, merchant, '/sessions', 'kept', body)).json).toEqual(first.json);
    clock.set(minutesAfter(noon, 24 * 60));
    // The expired key can be used again before and after it is deleted.
    expect((await post(app, merchant, '/sessions', 'kept', body)).json.id).not.toBe(first.json.id);
    expect(await pruneIdempotencyKeys(app.context.service, { now: clock.now() })).toBeGreaterThan(0);
    const { prisma } = app.context.service;
    expect(await prisma.idempotencyKey.count({ where: { key: { startsWith: 'kept' } } })).toBe(1);
    clock.set(noon);
  });

  test('follows the machine clock, not the test clock of the session', async ({ app, merchant }) => {
    const { merchant: ownMerchant, keys } = await seedMerchant(app.context.service);
    const body = { amount: 10, currency: 'HKD' };
    const first = await post(app, merchant, '/sessions', 'clock', body, keys.sandbox);
    await app.context.service.prisma.merchant.update({
      where: { id: ownMerchant.id },
      data: { testClockOffsetMs: BigInt(8 * dayMs) },
    });
    const repeated = await post(app, merchant, '/sessions', 'clock', body, keys.sandbox);
    expect(repeated.json).toEqual(first.json);
    const url = `/sessions/${first.json.id}`;
    const { json } = await callApi(app.app, { method: 'GET', url, keys: keys.sandbox });
    expect(json.status).toBe('expired');
  });

  test('must have 1 to 255 characters', async ({ app, merchant }) => {
    const body = { amount: 10, currency: 'HKD' };
    expect((await post(app, merchant, '/sessions', 'x'.repeat(255), body)).status).toBe(201);
    const response = await post(app, merchant, '/sessions', 'x'.repeat(256), body);
    expect([response.status, response.json.code]).toEqual([400, 'invalid_request']);
  });
});

describe('Concurrency', () => {
  const test = appTest;

  /** Fifty concurrent requests have the same effect as one. */

  type Ask = { method?: 'POST' | 'PATCH'; url: string; body?: unknown; headers?: Record<string, string> };

  const repeatFiftyTimes = (app: TestApp, merchant: NewMerchant, { method = 'POST', ...request }: Ask) =>
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
      const responses = await repeatFiftyTimes(app, merchant, {
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
      const responses = await repeatFiftyTimes(app, merchant, { url: '/charges', body: body(12) });
      expect(tally(responses)).toEqual({ 200: 49, 201: 1 });
      expect(responses.filter(({ json }) => json.isDuplicate)).toHaveLength(49);
      expect(await charges(app, merchant, 12)).toHaveLength(1);
    });

    test('cancel one charge once', async ({ app, merchant }) => {
      const { id } = await seedCharge(app.context.service, merchant, {
        mode: 'sandbox',
        input: { merchantAmount: 13 },
      });
      const responses = await repeatFiftyTimes(app, merchant, {
        method: 'PATCH',
        url: `/charges/${id}/cancel`,
      });
      expect(tally(responses)).toEqual({ 200: 1, 409: 49 });
      expect(responses.filter(({ text }) => text === 'true')).toHaveLength(1);
    });

    test('complete one charge once', async ({ app, merchant }) => {
      const { id } = await seedCharge(app.context.service, merchant, {
        mode: 'sandbox',
        input: { merchantAmount: 14 },
      });
      expect(tally(await repeatFiftyTimes(app, merchant, { url: `/charges/${id}/complete` }))).toEqual({
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
      const same = await repeatFiftyTimes(app, merchant, {
        url: '/refunds',
        body: refund,
        headers: { 'idempotency-key': 'refund' },
      });
      expect(tally(same)).toEqual({ 201: 50 });
      expect(tally(await repeatFiftyTimes(app, merchant, { url: '/refunds', body: refund }))).toEqual({
        201: 2,
        422: 48,
      });
    });

    test('in secure mode each require a hash, and create one charge if they are equal', async ({
      app,
      merchant,
    }) => {
      const { id } = merchant.merchant;
      const terms = { merchantAmount: 15, merchantCurrency: 'HKD' };
      await app.context.service.prisma.merchant.update({
        where: { id },
        data: { isSecureModeEnabled: true },
      });
      const { text: hash } = await callApi(app.app, {
        method: 'POST',
        url: '/charges/hash',
        keys: merchant.keys.sandbox,
        body: terms,
      });
      expect(
        tally(await repeatFiftyTimes(app, merchant, { url: '/charges', body: { ...body(15), hash } })),
      ).toEqual({
        200: 49,
        201: 1,
      });
      expect(
        tally(await repeatFiftyTimes(app, merchant, { url: '/charges', body: { ...body(16), hash } })),
      ).toEqual({
        422: 50,
      });
      await app.context.service.prisma.merchant.update({
        where: { id },
        data: { isSecureModeEnabled: false },
      });
    });
  });

  test('A charge of the checkout URL with a publishable key is never a duplicate of one from POST /charges', async ({
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
});
