import { describe, expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { permissions } from '../../src/domain/accounts/api-key/permissions.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { isCancelToken, readClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

describe('charge(id)', () => {
  const now = new Date();

  const seedChargeFor = (app: GraphqlApp, email: string, options: { at?: Date; input?: object } = {}) =>
    seedCharge(app.context.service, app.merchant, {
      input: { email, ...options.input },
      now: options.at ?? now,
    });

  const pay = (app: GraphqlApp, charge: Charge, minor = charge.customerAmount, paidAt = now) =>
    payCharge(app.context.service, app.merchant, charge, {
      minor,
      payerName: 'CHAN TAI MAN',
      paidAt: now,
      now: paidAt,
    });

  test('has a null QR code if the method has none', async ({ app }) => {
    const { id } = await seedChargeFor(app, 'no-code@example.com', { input: { method: 'hk-bank-transfer' } });
    const { data } = await app.ask(`{ charge(id: "${id}") { destination { qrCode bank } } }`);
    expect(data.charge.destination).toEqual({ qrCode: null, bank: expect.stringMatching(/./) });
  });

  test('returns the documented charge, with amounts as decimal strings', async ({ app }) => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const input = { orders, notifyPayload: 'b3JkZXI=', notifyUrl: 'https://shop.example/paid' };
    const charge = await seedChargeFor(app, 'Ada@Example.com', { input });
    const { data, errors } = await app.ask(
      `query ($id: ID!) { charge(id: $id) {
        id status method merchantAmount merchantCurrency customerAmount customerCurrency
        destination { qrCode account paymentReference accountName bank deepLink }
        exchangeRate { rate source effectiveAt } orders { orderId name quantity amount }
        amountReceived amountDifference paymentState hasLatePayment
        notifyPayload notifyUrl redirectUrl email phone firstName lastName
        customer { id email phone createdAt } receivingAccount { id method status accountName currency country }
        session { id } checkoutLink { id } refunds { id } transfers { id } allocations { id } notifications { id }
        expiresAt completedAt createdAt updatedAt
      } }`,
      { variables: { id: charge.id } },
    );
    expect(errors).toBeUndefined();
    expect(data.charge).toMatchObject({
      id: charge.id,
      status: 'pending',
      method: 'fps',
      merchantAmount: '128.50',
      merchantCurrency: 'HKD',
      customerAmount: '128.50',
      customerCurrency: 'HKD',
      destination: { paymentReference: charge.paymentReference, accountName: 'Harbour Teas' },
      exchangeRate: { rate: '1', source: 'same currency', effectiveAt: now.toISOString() },
      orders: [{ orderId: 'o-1', name: 'Tea', quantity: 2, amount: '64.25' }],
      amountReceived: '0.00',
      amountDifference: '-128.50',
      paymentState: 'none',
      hasLatePayment: false,
      notifyPayload: 'b3JkZXI=',
      notifyUrl: 'https://shop.example/paid',
      email: 'Ada@Example.com',
      customer: { id: charge.customerId, email: 'ada@example.com' },
      receivingAccount: { id: charge.receivingAccountId, method: 'fps', country: 'HK', currency: 'HKD' },
      session: null,
      refunds: [],
      transfers: [],
      allocations: [],
      notifications: [],
      createdAt: now.toISOString(),
      expiresAt: minutesAfter(now, 30).toISOString(),
      completedAt: null,
    });
  });

  test('has as many decimals in an amount as its currency', async ({ app }) => {
    const input = { method: 'toss', merchantAmount: 25, merchantCurrency: 'USD' };
    const charge = await seedChargeFor(app, 'won@example.com', { input });
    const query =
      'query ($id: ID!) { charge(id: $id) { method merchantAmount customerAmount exchangeRate { rate } } }';
    const { data } = await app.ask(query, { variables: { id: charge.id } });
    expect(data.charge).toEqual({
      method: 'toss',
      merchantAmount: '25.00',
      customerAmount: String(charge.customerAmount),
      exchangeRate: { rate: charge.rate.toFixed() },
    });
  });

  test('distinguishes requested and received amounts, and lists its transfers', async ({ app }) => {
    const charge = await seedChargeFor(app, 'parts@example.com');
    await pay(app, charge, 10_000n);
    const query = `query ($id: ID!) { charge(id: $id) {
      status amountReceived amountDifference paymentState hasLatePayment
      transfers { amount status reason reference payerName paidAt charges { id } receivingAccount { id } }
      allocations { amount reason actor { kind objectId name } charge { id } transfer { bankReference } }
    } }`;
    const { data: part } = await app.ask(query, { variables: { id: charge.id } });
    expect(part.charge).toMatchObject({
      status: 'pending',
      amountReceived: '100.00',
      amountDifference: '-28.50',
      paymentState: 'partial',
      transfers: [
        { amount: '100.00', status: 'partial', payerName: 'CHAN TAI MAN', charges: [{ id: charge.id }] },
      ],
      allocations: [
        {
          amount: '100.00',
          reason: 'matched',
          actor: { kind: 'api_key', objectId: 'feed', name: null },
          charge: { id: charge.id },
        },
      ],
    });
    await pay(app, charge, 4_000n, minutesAfter(now, 1));
    const { data: over } = await app.ask(query, { variables: { id: charge.id } });
    expect(over.charge).toMatchObject({
      status: 'completed',
      amountReceived: '140.00',
      amountDifference: '11.50',
      paymentState: 'over',
      hasLatePayment: false,
    });
    expect(over.charge.transfers.map((transfer: Json) => transfer.status)).toEqual(['partial', 'over']);
  });

  test('shows the part payment that it released when it expired, until that is applied again', async ({
    app,
  }) => {
    const at = minutesAfter(now, -60);
    const charge = await seedChargeFor(app, 'released@example.com', { at });
    const { service } = app.context;
    await payCharge(service, app.merchant, charge, { minor: 5_000n, paidAt: at, now: at });
    const getAmounts = async () =>
      (await app.ask(`{ charge(id: "${charge.id}") { status amountReceived amountReleased } }`)).data.charge;
    const partlyPaid = { status: 'pending', amountReceived: '50.00', amountReleased: '0.00' };
    expect(await getAmounts()).toEqual(partlyPaid);
    await expireCharges(service, { now });
    expect(await getAmounts()).toEqual({
      status: 'expired',
      amountReceived: '0.00',
      amountReleased: '50.00',
    });
    const extend = `mutation { extendCharge(input: { id: "${charge.id}", days: 3 }) { __typename } }`;
    await app.ask(extend);
    expect(await getAmounts()).toEqual(partlyPaid);
  });

  test('has a late payment while an amount paid late is allocated to it', async ({ app }) => {
    const charge = await seedChargeFor(app, 'late@example.com', { at: minutesAfter(now, -60) });
    await expireCharges(app.context.service, { now });
    const result = await pay(app, charge);
    expect(result).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    const allocate = (amount: bigint) =>
      app.context.service.prisma.allocation.create({
        data: {
          id: `al_${Math.random().toString(36).slice(2)}`,
          merchantId: charge.merchantId,
          mode: charge.mode,
          transferId: result.transferId!,
          chargeId: charge.id,
          amount,
          actor: 'user:test',
          reason: 'assigned',
          createdAt: now,
        },
      });
    const hasLatePayment = async () =>
      (await app.ask(`{ charge(id: "${charge.id}") { hasLatePayment } }`)).data.charge.hasLatePayment;
    await allocate(12850n);
    expect(await hasLatePayment()).toBe(true);
    await allocate(-12850n);
    expect(await hasLatePayment()).toBe(false);
  });

  test('shows the notifications of its events', async ({ app }) => {
    const webhook = await seedWebhook(app.context.service, app.merchant, { notificationVersion: '1.0' });
    const charge = await seedChargeFor(app, 'notified@example.com');
    await pay(app, charge);
    await relayEvents(app.context.service, { now });
    const { data } = await app.ask(
      `{ charge(id: "${charge.id}") { notifications {
        kind status url attemptCount nextAttemptAt finishedAt event { type objectId sequence actor { kind objectId } } webhook { id url } attempts { id }
      } } }`,
    );
    expect(data.charge.notifications).toEqual([
      {
        kind: 'webhook',
        status: 'pending',
        url: 'https://shop.example/hooks',
        attemptCount: 0,
        nextAttemptAt: now.toISOString(),
        finishedAt: null,
        event: {
          type: 'CHARGE_COMPLETE',
          objectId: charge.id,
          sequence: expect.stringMatching(/^\d+$/),
          actor: { kind: 'api_key', objectId: 'feed' },
        },
        webhook: { id: webhook.id, url: 'https://shop.example/hooks' },
        attempts: [],
      },
    ]);
  });

  test.for(['ch_00000000000000000000000000', 'nonsense', ''])(
    'is null for a missing id (%j)',
    async (id, { app }) => {
      const { data, errors } = await app.ask('query ($id: ID!) { charge(id: $id) { id } }', {
        variables: { id },
      });
      expect([data, errors]).toEqual([{ charge: null }, undefined]);
    },
  );

  test('rejects an id with U+0000', async ({ app }) => {
    const { errors } = await app.ask('query ($id: ID!) { charge(id: $id) { id } }', {
      variables: { id: 'a\0b' },
    });
    expect(errors[0].extensions.code).toBe('invalid_request');
  });
});

describe('Mutations', () => {
  const change = (
    app: GraphqlApp,
    name: string,
    input: object,
    fields: string,
    as?: ApiAuth,
  ): Promise<Json> => mutate(app, name, input, fields, as);

  const create = (app: GraphqlApp, input: object, as?: ApiAuth) =>
    change(
      app,
      'createCharge',
      {
        email: 'ada@example.com',
        merchantAmount: '128.50',
        merchantCurrency: 'HKD',
        method: 'fps',
        ...input,
      },
      'isDuplicate cancelToken clientToken charge { id status method merchantAmount destination { paymentReference } orders { name amount } customer { email } }',
      as,
    );

  const cancel = (app: GraphqlApp, id: string, as?: ApiAuth) =>
    change(app, 'cancelCharge', { id }, 'charge { id status }', as);

  const pay = (app: GraphqlApp, charge: Charge, minor?: bigint) =>
    payCharge(app.context.service, app.merchant, charge, { now: new Date(), ...(minor && { minor }) });

  const seedPendingCharge = (app: GraphqlApp, email: string) =>
    seedCharge(app.context.service, app.merchant, { now: new Date(), input: { email } });

  const complete = (app: GraphqlApp, id: string, as: ApiAuth = app.merchant.keys.sandbox) =>
    change(app, 'completeSandboxCharge', { id }, 'charge { id status completedAt }', as);

  /** A key of the merchant with all permissions but one. */
  const createKeyWithout = (app: GraphqlApp, permission: string) =>
    seedApiKey(app.context.service, app.merchant, {
      permissions: permissions.filter((other) => other !== permission),
    });

  describe('createCharge', () => {
    test('returns the charge and the tokens for its page', async ({ app }) => {
      const created = await create(app, { orders: [{ name: 'Tea', amount: '64.25' }] });
      expect(created).toMatchObject({
        isDuplicate: false,
        charge: {
          status: 'pending',
          method: 'fps',
          merchantAmount: '128.50',
          orders: [{ name: 'Tea', amount: '64.25' }],
          customer: { email: 'ada@example.com' },
        },
      });
      const { secrets } = app.context.service;
      const charge = { id: created.charge.id, mode: 'live' } as const;
      expect(isCancelToken(secrets, charge, created.cancelToken)).toBe(true);
      expect(readClientToken(secrets, created.clientToken)).toEqual(charge);
    });

    test('returns the same charge and the same tokens for the same input', async ({ app }) => {
      const input = { email: 'again@example.com' };
      const first = await create(app, input);
      expect(await create(app, input)).toEqual({ ...first, isDuplicate: true });
    });

    test.for<[input: object, type: string, code: string, path?: string]>([
      [{ email: 'nobody' }, 'InvalidRequestError', 'invalid_request', '/email'],
      [{ email: null }, 'InvalidRequestError', 'invalid_request', ''],
      [{ merchantAmount: '1.234' }, 'InvalidRequestError', 'invalid_request', '/merchantAmount'],
      [{ orders: [{}, { quantity: 0 }] }, 'InvalidRequestError', 'invalid_request', '/orders/0'],
      [{ notifyUrl: 'ftp://shop.example' }, 'InvalidRequestError', 'invalid_request', '/notifyUrl'],
      [{ merchantCurrency: 'XXX' }, 'UnprocessableError', 'currency_unsupported'],
      [{ merchantAmount: '5000000' }, 'UnprocessableError', 'amount_out_of_range'],
      [{ merchantCurrency: 'XAF', merchantAmount: '9000' }, 'UnprocessableError', 'rate_unavailable'],
    ])('returns %s with the code %s for %o', async ([input, type, code, path], { app }) => {
      const error = await create(app, input);
      expect(error).toMatchObject({ __typename: type, code });
      if (path !== undefined) expect(error.errors[0].path).toBe(path);
    });

    test('requires restricted access of live keys but not of sandbox keys', async ({ app }) => {
      const plain = await seedMerchant(app.context.service, { restrictedAccess: 'none' }, new Date());
      expect(await create(app, {}, plain.keys.live)).toMatchObject({
        __typename: 'PermissionError',
        code: 'restricted_endpoint',
      });
      expect(await create(app, {}, plain.keys.sandbox)).toMatchObject({ charge: { status: 'pending' } });
    });

    test.for([
      ['merchantAmount', 128.5],
      ['merchantAmount', 'many'],
      ['merchantCurrency', 'dollars'],
      ['method', 'hk-bank-transfer'],
      ['email', 'a\0@example.com'],
      ['orders', [{ name: '\ud800' }]],
    ] as const)('is not executed with the invalid value %s %j', async ([name, value], { app }) => {
      const input = {
        email: 'a@b.co',
        merchantAmount: '1',
        merchantCurrency: 'HKD',
        method: 'fps',
        [name]: value,
      };
      const query = 'mutation ($input: CreateChargeInput!) { createCharge(input: $input) { __typename } }';
      const { data, errors } = await app.ask(query, { variables: { input } });
      expect([data, errors[0].extensions.code]).toEqual([undefined, 'invalid_request']);
    });
  });

  describe('cancelCharge', () => {
    test('cancels once; the second request is a conflict', async ({ app }) => {
      const { charge } = await create(app, { email: 'cancel@example.com' });
      const both = await Promise.all([cancel(app, charge.id), cancel(app, charge.id)]);
      expect(both).toContainEqual({
        __typename: 'CancelChargeSuccess',
        charge: { id: charge.id, status: 'cancelled' },
      });
      expect(both).toContainEqual(
        expect.objectContaining({ __typename: 'ConflictError', code: 'charge_not_pending' }),
      );
    });

    test('returns a charge without the amount that was partially paid', async ({ app }) => {
      const charge = await seedPendingCharge(app, 'part@example.com');
      await pay(app, charge, 10_000n);
      const shown = 'charge { status paymentState amountReceived }';
      expect(await change(app, 'cancelCharge', { id: charge.id }, shown)).toMatchObject({
        charge: { status: 'cancelled', paymentState: 'none', amountReceived: '0.00' },
      });
    });

    test('rejects a paid charge, which is no longer pending', async ({ app }) => {
      const charge = await seedPendingCharge(app, 'paid@example.com');
      await pay(app, charge);
      expect(await cancel(app, charge.id)).toMatchObject({
        code: 'charge_not_pending',
        message: `The charge ${charge.id} is no longer pending`,
      });
    });

    test('does not find a missing charge, another merchant’s or one of the other mode', async ({ app }) => {
      const { charge } = await create(app, { email: 'notfound@example.com' });
      const notFound = { __typename: 'NotFoundError', code: 'charge_not_found' };
      expect(await cancel(app, 'ch_missing')).toMatchObject(notFound);
      expect(await cancel(app, charge.id, app.otherMerchant.keys.live)).toMatchObject(notFound);
      expect(await cancel(app, charge.id, app.merchant.keys.sandbox)).toMatchObject(notFound);
      expect(await cancel(app, charge.id)).toMatchObject({ charge: { status: 'cancelled' } });
    });
  });

  describe('completeSandboxCharge', () => {
    test('completes a pending sandbox charge, once', async ({ app }) => {
      const charge = await seedCharge(app.context.service, app.merchant, {
        mode: 'sandbox',
        now: new Date(),
      });
      expect(await complete(app, charge.id)).toMatchObject({
        charge: { id: charge.id, status: 'completed', completedAt: expect.any(String) },
      });
      expect(await complete(app, charge.id)).toMatchObject({
        __typename: 'ConflictError',
        code: 'charge_not_pending',
      });
    });

    test('rejects live keys', async ({ app }) => {
      const { charge } = await create(app, { email: 'live@example.com' });
      expect(await complete(app, charge.id, app.merchant.keys.live)).toMatchObject({
        __typename: 'PermissionError',
        code: 'sandbox_only',
      });
    });
  });

  describe('a key without a permission', () => {
    test.for([
      [
        'createCharge',
        { email: 'a@b.co', merchantAmount: '1', merchantCurrency: 'HKD', method: 'fps' },
        'write',
      ],
      ['cancelCharge', { id: 'ch_1' }, 'write'],
      ['completeSandboxCharge', { id: 'ch_1' }, 'write'],
      ['createSession', { amount: '1', currency: 'HKD' }, 'write'],
      ['cancelSession', { id: 'ses_1' }, 'write'],
      ['createCheckoutLink', { amount: '1', currency: 'HKD' }, 'write'],
      ['recordTransfers', { transfers: [] }, 'transfers'],
    ] as const)('may not call %s', async ([name, input, permission], { app }) => {
      const as = await createKeyWithout(app, permission);
      expect(await change(app, name, input, '__typename', as)).toEqual({
        __typename: 'PermissionError',
        code: 'permission_denied',
        message: `This operation requires the permission "${permission}"`,
      });
    });

    test('may not query without read', async ({ app }) => {
      const as = await createKeyWithout(app, 'read');
      const { data, errors } = await app.ask('{ charge(id: "ch_1") { id } node(id: "ch_1") { id } }', { as });
      expect(data).toEqual({ charge: null, node: null });
      expect(errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
        'permission_denied',
        'permission_denied',
      ]);
    });
  });
});

test('charges can be limited to those that are partly paid, or to the others', async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const seed = (email: string) => seedCharge(service, merchant, { input: { email } });
  const unpaid = await seed('a@example.com');
  const partlyPaid = await seed('b@example.com');
  const paid = await seed('c@example.com');
  await payCharge(service, merchant, partlyPaid, { minor: 5_000n, now: noon });
  await payCharge(service, merchant, paid, { now: noon });
  const list = async (filter: string) => {
    const document = `{ charges(filter: { ${filter} }) { totalCount nodes { id } } }`;
    const { data } = await app.ask(document, { as: merchant.keys.live });
    const ids = data.charges.nodes.map(({ id }: Json) => id);
    expect(data.charges.totalCount).toBe(ids.length);
    return ids;
  };
  expect(await list('isPartlyPaid: true')).toEqual([partlyPaid.id]);
  expect((await list('isPartlyPaid: false')).toSorted()).toEqual([unpaid.id, paid.id].toSorted());
  const period = (from: Date) => `createdFrom: "${from.toISOString()}"`;
  expect(await list(`isPartlyPaid: true, ${period(noon)}`)).toEqual([partlyPaid.id]);
  expect(await list(`isPartlyPaid: true, ${period(minutesAfter(noon, 1))}`)).toEqual([]);
});
