import { beforeAll, describe, expect, test } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { callApi } from '../setup/api.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import {
  type GraphqlApp,
  type Json,
  mutate,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { minutesAfter, noon, seedApiKey, seedCompletedCharge } from '../setup/seed.ts';
import { recordStatements } from '../setup/sent-statements.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let clock: FakeClock;
let charge: Charge;

beforeAll(async () => {
  clock = createFakeClock(noon);
  app = await setupGraphqlApp(onCleanup, { clock });
  charge = await paidCharge();
});

const keys = () => app.merchant.keys.sandbox;
const paidCharge = () => seedCompletedCharge(app.context.service, app.merchant);

const refundFields =
  'refund { id status detailsUrl reopenReason payoutReference payoutDetails { bank account accountName } }';
const change = (name: string, input: object): Promise<Json> => mutate(app, name, input, refundFields, keys());

const create = async (customerAmount: string, chargeId = charge.id) =>
  change('createRefund', { chargeId, customerAmount });

describe('refunds over GraphQL', () => {
  test('go their whole way', async () => {
    const { refund } = await create('20.50');
    expect(refund).toEqual({
      id: expect.stringMatching(/^re_/),
      status: 'initiated',
      detailsUrl: expect.stringContaining(`/pay/refund/${refund.id}.`),
      reopenReason: null,
      payoutReference: expect.stringMatching(/^[A-Z]{5}[2-9]{4}$/),
      payoutDetails: null,
    });
    const details = { bank: '004', account: '123456789', accountName: 'Ada Wong' };
    const submitted = await change('submitRefundDetails', { id: refund.id, ...details });
    expect(submitted.refund).toMatchObject({
      status: 'processing',
      detailsUrl: null,
      payoutDetails: details,
    });
    const reopened = await change('reopenRefund', { id: refund.id, reason: 'Account closed' });
    expect(reopened.refund).toMatchObject({
      status: 'initiated',
      reopenReason: 'Account closed',
      payoutDetails: null,
    });
    expect(reopened.refund.detailsUrl).not.toBe(refund.detailsUrl);
    await change('submitRefundDetails', { id: refund.id, ...details });
    expect((await change('completeRefund', { id: refund.id })).refund.status).toBe('completed');
    expect((await change('cancelRefund', { id: refund.id })).code).toBe('refund_not_initiated');
    expect((await change('reopenRefund', { id: refund.id, reason: 'x' })).code).toBe('refund_not_processing');
  });

  test('are refused with the codes of REST', async () => {
    expect((await create('999')).code).toBe('amount_exceeds_refundable');
    expect((await create('0')).code).toBe('invalid_request');
    expect((await create('1', 'ch_none')).code).toBe('charge_not_found');
    expect((await change('cancelRefund', { id: 're_none' })).code).toBe('refund_not_found');
    const { refund } = await create('1');
    const wrong = await change('submitRefundDetails', { id: refund.id, account: '1', accountName: '' });
    expect(wrong.code).toBe('invalid_request');
  });

  test('a charge tells what can still be refunded', async () => {
    const { id } = await paidCharge();
    const ask = async () =>
      (await app.ask(`{ charge(id: "${id}") { amountRefundable refunds { id } } }`, { as: keys() })).data
        .charge;
    expect(await ask()).toEqual({ amountRefundable: '128.50', refunds: [] });
    const { refund } = await create('28.50', id);
    expect(await ask()).toEqual({ amountRefundable: '100.00', refunds: [{ id: refund.id }] });
    await change('cancelRefund', { id: refund.id });
    expect((await ask()).amountRefundable).toBe('128.50');
  });

  test('are listed, filtered and counted', async () => {
    const { id } = await paidCharge();
    const made = [];
    for (const minutes of [1, 2, 3]) {
      clock.set(minutesAfter(noon, minutes));
      made.unshift((await create('5', id)).refund.id);
    }
    clock.set(noon);
    await change('cancelRefund', { id: made[0] });
    const list = async (filter: string, paging = '') => {
      const query = `{ refunds(filter: { chargeId: "${id}" ${filter} } ${paging}) { totalCount nodes { id } pageInfo { endCursor } } }`;
      const { totalCount, nodes, pageInfo } = (await app.ask(query, { as: keys() })).data.refunds;
      return { totalCount, ids: nodes.map((node: Json) => node.id), pageInfo };
    };
    expect(await list('')).toMatchObject({ totalCount: 3, ids: made });
    expect(await list('statuses: [initiated]')).toMatchObject({ totalCount: 2, ids: made.slice(1) });
    expect(await list('statuses: [initiated, cancelled]')).toMatchObject({ totalCount: 3 });
    expect(await list('createdTo: "2026-11-17T12:02:00Z"')).toMatchObject({ ids: made.slice(1) });
    expect(await list('customerEmail: "ADA@example.com"')).toMatchObject({ totalCount: 3 });
    const first = await list('', 'first: 1');
    expect(first.ids).toEqual(made.slice(0, 1));
    expect(await list('', `first: 5, after: "${first.pageInfo.endCursor}"`)).toMatchObject({
      ids: made.slice(1),
    });
  });

  test('tell each change live', async () => {
    const { refund } = await create('1');
    const stream = subscribeOverWebSocket(
      onCleanup,
      app.url,
      keys(),
      'subscription ($id: ID!) { refundUpdated(id: $id) { status } }',
      {
        id: refund.id,
      },
    );
    expect((await stream.next()).data.refundUpdated.status).toBe('initiated');
    await change('completeRefund', { id: refund.id });
    expect((await stream.next()).data.refundUpdated.status).toBe('completed');
    await stream.close();
  });

  test('tell of all that are made or change, live', async () => {
    clock.set(minutesAfter(noon, 10));
    const first = (await create('1')).refund;
    clock.set(noon);
    const stream = subscribeOverWebSocket(
      onCleanup,
      app.url,
      keys(),
      'subscription { refundsUpdated { id status charge { id } } }',
    );
    const next = async () => (await stream.next()).data.refundsUpdated;
    expect(await next()).toEqual({ id: first.id, status: 'initiated', charge: { id: charge.id } });
    const { id } = await paidCharge();
    const second = (await create('2', id)).refund;
    expect(await next()).toEqual({ id: second.id, status: 'initiated', charge: { id } });
    await change('cancelRefund', { id: first.id });
    expect(await next()).toMatchObject({ id: first.id, status: 'cancelled' });
    await stream.close();
  });

  test('tell what happened to them, and by whom', async () => {
    const { refund } = await create('1');
    await change('completeRefund', { id: refund.id });
    const { data } = await app.ask(`{ refund(id: "${refund.id}") { events { type actor } } }`, {
      as: keys(),
    });
    const actor = expect.stringMatching(/^key:key_/);
    expect(data.refund.events).toEqual([
      { type: 'refund_initiated', actor },
      { type: 'refund_completed', actor },
    ]);
  });

  test('take a fixed number of statements with everything nested', async () => {
    const { id } = await paidCharge();
    for (let i = 0; i < 6; i++) await create('1', id);
    const statements = async (first: number) => {
      const query = `{ refunds(first: ${first}, filter: { chargeId: "${id}" }) { totalCount nodes { id method detailsUrl payoutDetails { bank }
        events { id } customer { id } charge { id amountRefundable refunds { id events { id } } } } } }`;
      const { result, sent } = await recordStatements(() => app.ask(query, { as: keys() }));
      expect(result.errors).toBeUndefined();
      expect(result.data.refunds.nodes).toHaveLength(first);
      return sent.length;
    };
    expect(await statements(2)).toBeGreaterThan(3);
    expect(await statements(6)).toBe(await statements(2));
  });

  test('show their address only with the permission refund', async () => {
    const { refund } = await create('3');
    const sees = async (permissions: Permission[]) => {
      const as = await seedApiKey(app.context.service, app.merchant, { mode: 'sandbox', permissions });
      const { data } = await app.ask(`{ refund(id: "${refund.id}") { detailsUrl } }`, { as });
      const url = `/refunds/${refund.id}`;
      const { json } = await callApi(app.app, { method: 'GET', url, keys: as });
      const list = await callApi(app.app, { method: 'GET', url: '/refunds?limit=50', keys: as });
      const listed = list.json.refunds.find(({ id }: Json) => id === refund.id);
      return [data.refund.detailsUrl, json.detailsUrl, listed.detailsUrl];
    };
    expect(await sees(['read', 'write', 'transfers', 'manage'])).toEqual([null, undefined, undefined]);
    expect(await sees(['read', 'refund'])).toEqual(Array(3).fill(refund.detailsUrl));
  });

  test('a page sees the refunds of its charge without what is the merchant’s', async () => {
    const { id } = await paidCharge();
    await create('5', id);
    const as = { token: createClientToken(app.context.service.secrets, { id, mode: 'sandbox' }) };
    const seen = await app.ask(`{ charge(id: "${id}") { refunds { status customerAmount } } }`, { as });
    expect(seen.data.charge.refunds).toEqual([{ status: 'initiated', customerAmount: '5.00' }]);
    for (const field of ['detailsUrl', 'payoutReference', 'payoutDetails { account }', 'events { id }']) {
      const { errors } = await app.ask(`{ charge(id: "${id}") { refunds { ${field} } } }`, { as });
      expect(errors[0].extensions.code).toBe('permission_denied');
    }
    const { data } = await app.ask(
      `mutation { createRefund(input: { chargeId: "${id}", customerAmount: "1" }) { ... on UserError { code } } }`,
      { as },
    );
    expect(data.createRefund.code).toBe('permission_denied');
  });

  test('belong to their merchant and mode', async () => {
    const { refund } = await create('1');
    for (const as of [app.otherMerchant.keys.sandbox, app.merchant.keys.live]) {
      const { data } = await app.ask(
        `{ refund(id: "${refund.id}") { id } node(id: "${refund.id}") { id } }`,
        { as },
      );
      expect(data).toEqual({ refund: null, node: null });
    }
  });

  test('mail their links by the machine’s time where the sandbox’s test clock is ahead', async () => {
    const { id } = await paidCharge();
    const { prisma } = app.context.service;
    const moveClock = (testClockOffsetMs: bigint) =>
      prisma.merchant.update({ where: { id: app.merchant.merchant.id }, data: { testClockOffsetMs } });
    await moveClock(86_400_000n);
    const { refund } = await create('20.50', id);
    await change('submitRefundDetails', {
      id: refund.id,
      account: '123456789',
      bank: '004',
      accountName: 'Ada',
    });
    await change('reopenRefund', { id: refund.id, reason: 'Account closed' });
    await moveClock(0n);
    const dedupeKey = { startsWith: `refund-link ${refund.id} ` };
    const mails = await prisma.message.findMany({ where: { dedupeKey } });
    expect(mails.map(({ createdAt }) => createdAt)).toEqual([noon, noon]);
  });
});
