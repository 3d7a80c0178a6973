import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { seedWebhook } from '../setup/notifications.ts';
import { minutesAfter, seedCharge } from '../setup/seed.ts';
import { payCharge } from '../setup/transfers.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const chargeOf = (email: string, options: { at?: Date; input?: object } = {}) =>
  seedCharge(app.context.service, app.merchant, {
    input: { email, ...options.input },
    now: options.at ?? now,
  });

const pay = (charge: Charge, minor = charge.customerAmount, at = now) =>
  payCharge(app.context.service, app.merchant, charge, {
    minor,
    payerName: 'CHAN TAI MAN',
    paidAt: now,
    now: at,
  });

describe('charge(id)', () => {
  test('gives the documented charge, amounts as decimal strings', async () => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const input = { orders, notifyPayload: 'b3JkZXI=', notifyUrl: 'https://shop.example/paid' };
    const charge = await chargeOf('Ada@Example.com', { input });
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

  test('writes an amount with as many digits as its currency has', async () => {
    const input = { method: 'toss', merchantAmount: 25, merchantCurrency: 'USD' };
    const charge = await chargeOf('won@example.com', { input });
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

  test('tells asked and received apart, and which transfers count', async () => {
    const charge = await chargeOf('parts@example.com');
    await pay(charge, 10_000n);
    const query = `query ($id: ID!) { charge(id: $id) {
      status amountReceived amountDifference paymentState hasLatePayment
      transfers { amount status reason reference payerName paidAt charges { id } receivingAccount { id } }
      allocations { amount reason actor charge { id } transfer { bankReference } }
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
      allocations: [{ amount: '100.00', reason: 'matched', actor: 'bank', charge: { id: charge.id } }],
    });
    await pay(charge, 4_000n, minutesAfter(now, 1));
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

  test('says that money which counts for it was paid late, unless it was taken back', async () => {
    const charge = await chargeOf('late@example.com', { at: minutesAfter(now, -60) });
    await expireCharges(app.context.service, { now });
    const result = await pay(charge);
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
    const paidLate = async () =>
      (await app.ask(`{ charge(id: "${charge.id}") { hasLatePayment } }`)).data.charge.hasLatePayment;
    await allocate(12850n);
    expect(await paidLate()).toBe(true);
    await allocate(-12850n);
    expect(await paidLate()).toBe(false);
  });

  test('shows who was told of its events', async () => {
    const webhook = await seedWebhook(app.context.service, app.merchant, { notificationVersion: '1.0' });
    const charge = await chargeOf('told@example.com');
    await pay(charge);
    await relayEvents(app.context.service, { now });
    const { data } = await app.ask(
      `{ charge(id: "${charge.id}") { notifications {
        kind status url attemptCount nextAttemptAt finishedAt event { type objectId sequence actor } webhook { id url } attempts { id }
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
          actor: 'bank',
        },
        webhook: { id: webhook.id, url: 'https://shop.example/hooks' },
        attempts: [],
      },
    ]);
  });

  test.each(['ch_00000000000000000000000000', 'nonsense', ''])('of a missing id (%j) is null', async (id) => {
    const { data, errors } = await app.ask('query ($id: ID!) { charge(id: $id) { id } }', {
      variables: { id },
    });
    expect([data, errors]).toEqual([{ charge: null }, undefined]);
  });

  test('refuses an id that no text can be', async () => {
    const { errors } = await app.ask('query ($id: ID!) { charge(id: $id) { id } }', {
      variables: { id: 'a\0b' },
    });
    expect(errors[0].extensions.code).toBe('invalid_request');
  });
});
