import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { expireCharges } from '../../src/domain/charge/expire-charges.ts';
import { createReceivingAccount } from '../../src/domain/receiving-account/create-receiving-account.ts';
import { recordTransfers } from '../../src/domain/transfer/record-transfers.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { transact } from '../../src/kit/db.ts';
import { type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { makeCharge, minutesAfter } from '../setup/makers.ts';
import { makeWebhook } from '../setup/notifications.ts';

let app: GraphqlApp;
const now = new Date();

beforeAll(async () => {
  app = await graphqlApp();
});

const chargeOf = (email: string, options: { mode?: 'live' | 'sandbox'; at?: Date; input?: object } = {}) =>
  makeCharge(app.context.service, app.merchant, {
    ...(options.mode && { mode: options.mode }),
    input: { email, ...options.input },
    now: options.at ?? now,
  });

/** Money for a charge, as a bank feed tells of it. */
const pay = (charge: { nonce: string; receivingAccountId: string }, amount: string, at = now) =>
  recordTransfers(app.context.service, {
    merchant: app.merchant.merchant,
    mode: 'live',
    actor: 'bank',
    now: at,
    items: [
      {
        id: `bank-${Math.random()}`,
        receivingAccountId: charge.receivingAccountId,
        amount,
        currency: 'HKD',
        reference: charge.nonce,
        payerName: 'CHAN TAI MAN',
        paidAt: now.toISOString(),
      },
    ],
  });

describe('charge(id)', () => {
  test('gives the documented charge, amounts as decimal strings', async () => {
    const orders = [{ id: 'o-1', name: 'Tea', quantity: 2, amount: 64.25 }];
    const input = { orders, notifyPayload: 'b3JkZXI=', notifyUrl: 'https://shop.example/paid' };
    const charge = await chargeOf('Ada@Example.com', { input });
    const { data, errors } = await app.ask(
      `query ($id: ID!) { charge(id: $id) {
        id status method merchantAmount merchantCurrency customerAmount customerCurrency
        destination { qrCode account nonce accountName bank deepLink }
        rate { rate source at } orders { id name quantity amount }
        amountReceived amountDifference paymentState paidLate
        notifyPayload notifyUrl redirectUrl email phone firstName lastName
        customer { id email phone createdAt } receivingAccount { id method status holder currency country }
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
      destination: { nonce: charge.nonce, accountName: 'Harbour Teas' },
      rate: { rate: '1', source: 'same currency', at: now.toISOString() },
      orders: [{ id: 'o-1', name: 'Tea', quantity: 2, amount: '64.25' }],
      amountReceived: '0.00',
      amountDifference: '-128.50',
      paymentState: 'none',
      paidLate: false,
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
      'query ($id: ID!) { charge(id: $id) { method merchantAmount customerAmount rate { rate } } }';
    const { data } = await app.ask(query, { variables: { id: charge.id } });
    expect(data.charge).toEqual({
      method: 'toss',
      merchantAmount: '25.00',
      customerAmount: String(charge.customerAmount / 1n),
      rate: { rate: charge.rate.toFixed() },
    });
  });

  test('tells asked and received apart, and which transfers count', async () => {
    const charge = await chargeOf('parts@example.com');
    await pay(charge, '100.00');
    const query = `query ($id: ID!) { charge(id: $id) {
      status amountReceived amountDifference paymentState paidLate
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
    await pay(charge, '40.00', minutesAfter(now, 1));
    const { data: over } = await app.ask(query, { variables: { id: charge.id } });
    expect(over.charge).toMatchObject({
      status: 'completed',
      amountReceived: '140.00',
      amountDifference: '11.50',
      paymentState: 'over',
      paidLate: false,
    });
    expect(over.charge.transfers.map((transfer: Json) => transfer.status)).toEqual(['partial', 'over']);
  });

  test('says that money which counts for it was paid late, unless it was taken back', async () => {
    const charge = await chargeOf('late@example.com', { at: minutesAfter(now, -60) });
    await expireCharges(app.context.service, { now });
    const [result] = await pay(charge, '128.50');
    expect(result).toMatchObject({ status: 'exception', reason: 'charge_expired' });
    const allocate = (amount: bigint) =>
      app.context.service.prisma.allocation.create({
        data: {
          id: `al_${Math.random().toString(36).slice(2)}`,
          merchantId: charge.merchantId,
          mode: charge.mode,
          transferId: result!.transferId!,
          chargeId: charge.id,
          amount,
          actor: 'user:test',
          reason: 'assigned',
          createdAt: now,
        },
      });
    const paidLate = async () =>
      (await app.ask(`{ charge(id: "${charge.id}") { paidLate } }`)).data.charge.paidLate;
    await allocate(12850n);
    expect(await paidLate()).toBe(true);
    await allocate(-12850n);
    expect(await paidLate()).toBe(false);
  });

  test('shows who was told of its events', async () => {
    const webhook = await makeWebhook(app.context.service, app.merchant, { version: '1.0' });
    const charge = await chargeOf('told@example.com');
    await pay(charge, '128.50');
    await relayEvents(app.context.service, { now });
    const { data } = await app.ask(
      `{ charge(id: "${charge.id}") { notifications {
        kind status url attemptsMade nextAttemptAt finishedAt event { message objectId sequence actor } webhook { id url } attempts { id }
      } } }`,
    );
    expect(data.charge.notifications).toEqual([
      {
        kind: 'webhook',
        status: 'pending',
        url: 'https://shop.example/hooks',
        attemptsMade: 0,
        nextAttemptAt: now.toISOString(),
        finishedAt: null,
        event: {
          message: 'CHARGE_COMPLETE',
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

describe('another merchant, and the other mode', () => {
  const all = `query ($id: ID!, $session: ID!) {
    charge(id: $id) { id } node(id: $id) { id } nodes(ids: [$id, $session]) { id } session(id: $session) { id }
  }`;

  test('see nothing of a charge or session', async () => {
    const charge = await chargeOf('mine@example.com');
    const created = await app.ask(
      'mutation { createSession(input: { amount: "5", currency: "HKD" }) { ... on CreateSessionSuccess { session { id } } } }',
    );
    const variables = { id: charge.id, session: created.data.createSession.session.id };
    const { data: mine } = await app.ask(all, { variables });
    expect(mine).toEqual({
      charge: { id: charge.id },
      node: { id: charge.id },
      nodes: [{ id: charge.id }, { id: variables.session }],
      session: { id: variables.session },
    });
    for (const as of [app.stranger.keys.live, app.merchant.keys.sandbox]) {
      const { data } = await app.ask(all, { variables, as });
      expect(data).toEqual({ charge: null, node: null, nodes: [null, null], session: null });
    }
  });

  test('find every kind of object to be null by node(id)', async () => {
    const charge = await chargeOf('nodes@example.com');
    await pay(charge, '1.00');
    await relayEvents(app.context.service, { now });
    const { data } = await app.ask(
      `{ charge(id: "${charge.id}") { customer { id } receivingAccount { id } transfers { id } allocations { id } } me { id }
        events { nodes { id } } notifications { nodes { id } } webhooks { nodes { id } } }`,
    );
    const ids = [
      data.me.id,
      charge.id,
      data.charge.customer.id,
      data.charge.receivingAccount.id,
      data.charge.transfers[0].id,
      data.charge.allocations[0].id,
      data.events.nodes[0].id,
      data.notifications.nodes[0].id,
      data.webhooks.nodes[0].id,
    ];
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename } }';
    const { data: mine } = await app.ask(query, { variables: { ids } });
    expect(mine.nodes.map((node: Json) => node.id)).toEqual(ids);
    expect(mine.nodes.map((node: Json) => node.__typename)).toEqual([
      'Merchant',
      'Charge',
      'Customer',
      'ReceivingAccount',
      'Transfer',
      'Allocation',
      'Event',
      'Notification',
      'Webhook',
    ]);
    const { data: foreign } = await app.ask(query, { variables: { ids }, as: app.stranger.keys.live });
    expect(foreign.nodes).toEqual(ids.map(() => null));
    const { data: sandbox } = await app.ask(query, { variables: { ids }, as: app.merchant.keys.sandbox });
    expect(sandbox.nodes).toEqual([
      { id: data.me.id, __typename: 'Merchant' },
      ...ids.slice(1).map(() => null),
    ]);
  });
});

describe('charges(filter)', () => {
  const list = async (filter: object) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { totalCount nodes { id } } }';
    const { data, errors } = await app.ask(query, { variables: { filter } });
    expect(errors).toBeUndefined();
    const ids = data.charges.nodes.map((node: Json) => node.id);
    expect(data.charges.totalCount).toBe(ids.length);
    return ids;
  };

  test('takes one status or several', async () => {
    const customerEmail = 'states@example.com';
    const open = await chargeOf(customerEmail, { input: { merchantAmount: 1 } });
    const paid = await chargeOf(customerEmail, { input: { merchantAmount: 2 } });
    await pay(paid, '2.00');
    expect(await list({ customerEmail, status: 'pending' })).toEqual([open.id]);
    expect(await list({ customerEmail, status: ['completed', 'expired'] })).toEqual([paid.id]);
    expect((await list({ customerEmail, status: ['pending', 'completed'] })).sort()).toEqual(
      [open.id, paid.id].sort(),
    );
    expect(await list({ customerEmail, status: [] })).toEqual([]);
  });

  test('includes both ends of a span of time, a whole second to its end', async () => {
    const customerEmail = 'times@example.com';
    const at = new Date('2026-03-01T10:00:00.500Z');
    const charge = await chargeOf(customerEmail, { at });
    const found = [charge.id];
    expect(await list({ customerEmail, startDate: at.toISOString(), endDate: at.toISOString() })).toEqual(
      found,
    );
    expect(await list({ customerEmail, endDate: '2026-03-01T10:00:00Z' })).toEqual(found);
    expect(await list({ customerEmail, endDate: '2026-03-01T10:00:00.499Z' })).toEqual([]);
    expect(await list({ customerEmail, startDate: '2026-03-01T10:00:00.501Z' })).toEqual([]);
    expect(await list({ customerEmail, startDate: '2026-03-01T18:00:00+08:00' })).toEqual(found);
  });

  test('by method and currency', async () => {
    const customerEmail = 'methods@example.com';
    const hongKong = await chargeOf(customerEmail);
    const bank = await chargeOf(customerEmail, { input: { method: 'hk-bank-transfer' } });
    const thai = await chargeOf(customerEmail, { input: { method: 'prompt-pay' } });
    expect(await list({ customerEmail, method: 'hk_bank_transfer' })).toEqual([bank.id]);
    expect(await list({ customerEmail, customerCurrency: 'THB' })).toEqual([thai.id]);
    expect((await list({ customerEmail, customerCurrency: 'HKD' })).sort()).toEqual(
      [hongKong.id, bank.id].sort(),
    );
  });

  test('by e-mail, whatever its case, and by phone only without an e-mail', async () => {
    const charge = await chargeOf('Case@Example.com');
    await app.context.service.prisma.charge.update({
      where: { id: charge.id },
      data: { phone: '+85251234567' },
    });
    expect(await list({ customerEmail: 'cASE@example.COM' })).toEqual([charge.id]);
    expect(await list({ customerEmail: 'case@example' })).toEqual([]);
    expect(await list({ customerPhone: '85251234567' })).toEqual([charge.id]);
    expect(await list({ customerPhone: '+85251234567' })).toEqual([charge.id]);
    expect(await list({ customerPhone: '51234567' })).toEqual([]);
    expect(await list({ customerPhone: '0', customerEmail: 'case@example.com' })).toEqual([charge.id]);
  });

  test.each([
    ['customerEmail', 'a\0b'],
    ['customerEmail', 'x'.repeat(255)],
    ['customerPhone', '\0'],
    ['startDate', '2026-02-30T00:00:00Z'],
    ['endDate', '2026-03-01'],
    ['status', 'paid'],
    ['method', 'cash'],
    ['customerCurrency', 'hkd'],
  ])('refuses %s: %j', async (name, value) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { nodes { id } } }';
    const { errors } = await app.ask(query, { variables: { filter: { [name]: value } } });
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_request', requestId: expect.any(String) });
  });

  test('a sandbox list has sandbox charges alone', async () => {
    const charge = await chargeOf('sandbox@example.com', { mode: 'sandbox' });
    const query = '{ charges { nodes { id } } }';
    const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
    expect(data.charges.nodes).toEqual([{ id: charge.id }]);
  });
});

test('a page of charges with everything nested takes a fixed number of statements', async () => {
  for (let i = 0; i < 6; i++) await pay(await chargeOf(`many-${i}@example.com`), '128.50');
  const statements = async (first: number) => {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const { errors } = await app.ask(
      `{ charges(first: ${first}) { nodes { id refunds { id } transfers { id } allocations { id amount } paidLate
        notifications { id } customer { id } receivingAccount { id } session { id } checkoutLink { id } } } }`,
    );
    const count = query.mock.calls.length;
    query.mockRestore();
    expect(errors).toBeUndefined();
    return count;
  };
  expect(await statements(2)).toBeGreaterThan(1);
  expect(await statements(6)).toBe(await statements(2));
});

test('me is the calling merchant, in the mode of the credentials', async () => {
  const query =
    '{ me { id name mode restrictedAccess demo secureMode underpaymentTolerance redirectSchemes } }';
  const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
  expect(data.me).toEqual({
    id: app.merchant.merchant.id,
    name: 'Harbour Teas',
    mode: 'sandbox',
    restrictedAccess: 'granted',
    demo: true,
    secureMode: false,
    underpaymentTolerance: '0',
    redirectSchemes: [],
  });
});

test('receivingAccounts are those of the mode', async () => {
  const { service } = app.context;
  const own = { merchantId: app.merchant.merchant.id, mode: 'live' as const };
  const from = await service.prisma.receivingAccount.findFirstOrThrow({ where: { ...own, method: 'fps' } });
  const input = {
    method: 'fps' as const,
    details: from.details,
    holder: 'Second',
    minAmount: 100n,
    maxAmount: 5000n,
  };
  const second = await transact(service, (tx) =>
    createReceivingAccount(tx, { ...own, input, now: new Date() }),
  );
  const { data } = await app.ask(
    `{ receivingAccounts(first: 1) { totalCount nodes { id holder minAmount maxAmount windowMinutes weight timeZone } }
      receivingAccount(id: "${from.id}") { id minAmount } }`,
  );
  expect(data.receivingAccounts).toEqual({
    totalCount: 14,
    nodes: [
      {
        id: second.id,
        holder: 'Second',
        minAmount: '1.00',
        maxAmount: '50.00',
        windowMinutes: null,
        weight: 1,
        timeZone: 'Asia/Hong_Kong',
      },
    ],
  });
  expect(data.receivingAccount).toEqual({ id: from.id, minAmount: null });
});
