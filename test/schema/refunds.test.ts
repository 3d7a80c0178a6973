import { describe, expect, onTestFinished } from 'vitest';
import type { Permission } from '../../src/domain/accounts/api-key/permissions.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { callApi } from '../setup/api.ts';
import { fakeTimeGraphqlTest } from '../setup/app-fixtures.ts';
import { type GraphqlApp, type Json, mutate, subscribeOverWebSocket } from '../setup/graphql.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import {
  minutesAfter,
  noon,
  seedApiKey,
  seedCharge,
  seedCompletedCharge,
  seedMerchant,
} from '../setup/seed.ts';
import { recordStatements } from '../setup/sent-statements.ts';

const refundTest = fakeTimeGraphqlTest.extend('charge', ({ app }) => seedPaidCharge(app));

const keys = (app: GraphqlApp) => app.merchant.keys.sandbox;

const seedPaidCharge = (app: GraphqlApp) => seedCompletedCharge(app.context.service, app.merchant);

const refundFields =
  'refund { id status detailsUrl reopenReason payoutReference payoutDetails { bank account accountName } }';

const change = (app: GraphqlApp, name: string, input: object): Promise<Json> =>
  mutate(app, name, input, refundFields, keys(app));

const create = (app: GraphqlApp, chargeId: string, customerAmount: string) =>
  change(app, 'createRefund', { chargeId, customerAmount });

describe('Refunds', () => {
  describe('a refund', () => {
    refundTest('is created, receives payout details, is reopened and completed', async ({ app, charge }) => {
      const { refund } = await create(app, charge.id, '20.50');
      expect(refund).toEqual({
        id: expect.stringMatching(/^re_/),
        status: 'initiated',
        detailsUrl: expect.stringContaining(`/pay/refund/${refund.id}.`),
        reopenReason: null,
        payoutReference: expect.stringMatching(/^[A-Z]{4}[2-9]{5}[A-Z]$/),
        payoutDetails: null,
      });
      const details = { bank: '004', account: '123456789', accountName: 'Ada Wong' };
      const submitted = await change(app, 'submitRefundDetails', { id: refund.id, ...details });
      expect(submitted.refund).toMatchObject({
        status: 'processing',
        detailsUrl: null,
        payoutDetails: details,
      });
      const reopened = await change(app, 'reopenRefund', { id: refund.id, reason: 'Account closed' });
      expect(reopened.refund).toMatchObject({
        status: 'initiated',
        reopenReason: 'Account closed',
        payoutDetails: null,
      });
      expect(reopened.refund.detailsUrl).not.toBe(refund.detailsUrl);
      await change(app, 'submitRefundDetails', { id: refund.id, ...details });
      expect((await change(app, 'completeRefund', { id: refund.id })).refund.status).toBe('completed');
      expect((await change(app, 'cancelRefund', { id: refund.id })).code).toBe('refund_not_initiated');
      expect((await change(app, 'reopenRefund', { id: refund.id, reason: 'x' })).code).toBe(
        'refund_not_processing',
      );
    });

    refundTest('has a null bank if the account number includes the bank', async ({ app }) => {
      const input = { method: 'nz-bank-transfer' };
      const { id } = await seedCompletedCharge(app.context.service, app.merchant, { input });
      const { refund } = await create(app, id, '1');
      const details = { account: '01-0902-0068389-00', accountName: 'Ada Wong' };
      const submitted = await change(app, 'submitRefundDetails', { id: refund.id, ...details });
      expect(submitted.refund.payoutDetails).toEqual({ ...details, bank: null });
    });

    refundTest('is rejected with the error codes of REST', async ({ app, charge }) => {
      expect((await create(app, charge.id, '999')).code).toBe('amount_exceeds_refundable');
      expect((await create(app, charge.id, '0')).code).toBe('invalid_request');
      expect((await create(app, 'ch_none', '1')).code).toBe('charge_not_found');
      expect((await change(app, 'cancelRefund', { id: 're_none' })).code).toBe('refund_not_found');
      const { refund } = await create(app, charge.id, '1');
      const wrong = await change(app, 'submitRefundDetails', {
        id: refund.id,
        account: '1',
        accountName: '',
      });
      expect(wrong.code).toBe('invalid_request');
    });

    refundTest(
      'reduces the refundable amount of the charge until it is cancelled',
      async ({ app, charge: { id } }) => {
        const readRefundable = async () =>
          (await app.ask(`{ charge(id: "${id}") { amountRefundable refunds { id } } }`, { as: keys(app) }))
            .data.charge;
        expect(await readRefundable()).toEqual({ amountRefundable: '128.50', refunds: [] });
        const { refund } = await create(app, id, '28.50');
        expect(await readRefundable()).toEqual({ amountRefundable: '100.00', refunds: [{ id: refund.id }] });
        await change(app, 'cancelRefund', { id: refund.id });
        expect((await readRefundable()).amountRefundable).toBe('128.50');
      },
    );

    refundTest('is listed, filtered and counted', async ({ app, clock, charge: { id } }) => {
      const created: string[] = [];
      for (const minutes of [1, 2, 3]) {
        clock.set(minutesAfter(noon, minutes));
        created.unshift((await create(app, id, '5')).refund.id);
      }
      clock.set(noon);
      await change(app, 'cancelRefund', { id: created[0] });
      const list = async (filter: string, paging = '') => {
        const query = `{ refunds(filter: { chargeId: "${id}" ${filter} } ${paging}) { totalCount nodes { id } pageInfo { endCursor } } }`;
        const { totalCount, nodes, pageInfo } = (await app.ask(query, { as: keys(app) })).data.refunds;
        return { totalCount, ids: nodes.map((node: Json) => node.id), pageInfo };
      };
      expect(await list('')).toMatchObject({ totalCount: 3, ids: created });
      expect(await list('statuses: [initiated]')).toMatchObject({ totalCount: 2, ids: created.slice(1) });
      expect(await list('statuses: [initiated, cancelled]')).toMatchObject({ totalCount: 3 });
      expect(await list('createdTo: "2026-11-17T12:02:00Z"')).toMatchObject({ ids: created.slice(1) });
      expect(await list('customerEmail: "ADA@example.com"')).toMatchObject({ totalCount: 3 });
      const first = await list('', 'first: 1');
      expect(first.ids).toEqual(created.slice(0, 1));
      expect(await list('', `first: 5, after: "${first.pageInfo.endCursor}"`)).toMatchObject({
        ids: created.slice(1),
      });
    });

    refundTest('is found by method, receiving account and amount', async ({ app, charge }) => {
      const input = { method: 'paynow', merchantAmount: 50, merchantCurrency: 'SGD' };
      const other = await seedCompletedCharge(app.context.service, app.merchant, { input });
      const [small, large] = [await create(app, charge.id, '7.01'), await create(app, charge.id, '7.05')];
      const paynow = await create(app, other.id, '7.03');
      const list = async (filter: object): Promise<Json> => {
        const query =
          'query ($filter: RefundFilter) { refunds(filter: $filter) { totalCount nodes { id customerAmount } } }';
        return app.ask(query, { variables: { filter }, as: keys(app) });
      };
      const range = (min: string, max: string, currency = 'HKD') => ({
        customerAmount: { currency, min, max },
      });
      const expectFound = async (filter: object, expected: Json[]) => {
        const { totalCount, nodes } = (await list(filter)).data.refunds;
        // Refunds of the same millisecond have no order.
        expect(nodes.map(({ id }: Json) => id).sort()).toEqual(
          expected.map(({ refund }) => refund.id).sort(),
        );
        expect(totalCount).toBe(expected.length);
      };
      await expectFound(range('7.01', '7.05'), [large, small]);
      await expectFound(range('7.02', '7.05'), [large]);
      await expectFound(range('7.01', '7.05', 'SGD'), [paynow]);
      await expectFound({ ...range('7.01', '7.05'), customerCurrency: 'SGD' }, []);
      const [createdFrom, createdTo] = [minutesAfter(noon, -1), minutesAfter(noon, 1)];
      await expectFound({ ...range('7.02', '7.05'), createdFrom, createdTo }, [large]);
      await expectFound({ ...range('7.02', '7.05'), createdFrom: createdTo }, []);
      await expectFound({ method: 'paynow' }, [paynow]);
      await expectFound({ method: 'paynow', ...range('7.01', '7.05') }, []);
      await expectFound({ receivingAccountId: other.receivingAccountId }, [paynow]);
      await expectFound({ receivingAccountId: charge.receivingAccountId, ...range('7.02', '7.09') }, [large]);
      expect((await list(range('7.001', '8'))).errors[0].extensions.code).toBe('invalid_request');
    });

    refundTest('sends each change to refundUpdated', async ({ app, charge }) => {
      const { refund } = await create(app, charge.id, '1');
      const stream = subscribeOverWebSocket(
        onTestFinished,
        app.url,
        keys(app),
        'subscription ($id: ID!) { refundUpdated(id: $id) { status } }',
        {
          id: refund.id,
        },
      );
      expect((await stream.next()).data.refundUpdated.status).toBe('initiated');
      await change(app, 'completeRefund', { id: refund.id });
      expect((await stream.next()).data.refundUpdated.status).toBe('completed');
      await stream.close();
    });

    refundTest(
      'is sent to refundsUpdated when it is created and when it changes',
      async ({ app, clock, charge }) => {
        // The time is later than that of the refunds of all other tests.
        clock.set(minutesAfter(noon, 3 * 24 * 60));
        const first = (await create(app, charge.id, '1')).refund;
        clock.set(noon);
        const stream = subscribeOverWebSocket(
          onTestFinished,
          app.url,
          keys(app),
          'subscription { refundsUpdated { id status charge { id } } }',
        );
        const next = async () => (await stream.next()).data.refundsUpdated;
        expect(await next()).toEqual({ id: first.id, status: 'initiated', charge: { id: charge.id } });
        const { id } = await seedPaidCharge(app);
        const second = (await create(app, id, '2')).refund;
        expect(await next()).toEqual({ id: second.id, status: 'initiated', charge: { id } });
        await change(app, 'cancelRefund', { id: first.id });
        expect(await next()).toMatchObject({ id: first.id, status: 'cancelled' });
        await stream.close();
      },
    );

    refundTest('lists its events with their actors', async ({ app, charge }) => {
      const { refund } = await create(app, charge.id, '1');
      await change(app, 'completeRefund', { id: refund.id });
      const { data } = await app.ask(
        `{ refund(id: "${refund.id}") { events { type actor { kind objectId name } } } }`,
        {
          as: keys(app),
        },
      );
      const actor = { kind: 'api_key', objectId: expect.stringMatching(/^key_/), name: expect.any(String) };
      expect(data.refund.events).toEqual([
        { type: 'refund_initiated', actor },
        { type: 'refund_completed', actor },
      ]);
    });

    refundTest(
      'takes a fixed number of statements with all nested objects',
      async ({ app, charge: { id } }) => {
        for (let i = 0; i < 6; i++) await create(app, id, '1');
        const statements = async (first: number) => {
          const query = `{ refunds(first: ${first}, filter: { chargeId: "${id}" }) { totalCount nodes { id method detailsUrl payoutDetails { bank }
        events { id } customer { id } charge { id amountRefundable refunds { id events { id } } } } } }`;
          const { result, sent } = await recordStatements(() => app.ask(query, { as: keys(app) }));
          expect(result.errors).toBeUndefined();
          expect(result.data.refunds.nodes).toHaveLength(first);
          // The cached API key and merchant are read again when an earlier change is announced late.
          return sent.filter(({ text }) => !/FROM "public"\."(api_key|merchant)"/.test(text)).length;
        };
        expect(await statements(2)).toBeGreaterThan(3);
        expect(await statements(6)).toBe(await statements(2));
      },
    );

    refundTest('shows its details URL only with the permission refund', async ({ app, charge }) => {
      const { refund } = await create(app, charge.id, '3');
      const readDetailsUrls = async (permissions: Permission[]) => {
        const as = await seedApiKey(app.context.service, app.merchant, { mode: 'sandbox', permissions });
        const { data } = await app.ask(`{ refund(id: "${refund.id}") { detailsUrl } }`, { as });
        const url = `/refunds/${refund.id}`;
        const { json } = await callApi(app.app, { method: 'GET', url, keys: as });
        const list = await callApi(app.app, { method: 'GET', url: '/refunds?limit=50', keys: as });
        const listed = list.json.refunds.find(({ id }: Json) => id === refund.id);
        return [data.refund.detailsUrl, json.detailsUrl, listed.detailsUrl];
      };
      expect(await readDetailsUrls(['read', 'write', 'transfers', 'manage'])).toEqual([
        null,
        undefined,
        undefined,
      ]);
      expect(await readDetailsUrls(['read', 'refund'])).toEqual(Array(3).fill(refund.detailsUrl));
    });

    refundTest(
      'is emailed at the system time, like receipts, when the test clock is ahead',
      async ({ app }) => {
        const { service } = app.context;
        const ownMerchant = await seedMerchant(service);
        const { id: merchantId } = ownMerchant.merchant;
        const data = { testClockOffsetMs: BigInt(40 * dayMs), emailReceipts: true };
        await service.prisma.merchant.update({ where: { id: merchantId }, data });
        const call = (name: string, input: object, fields = refundFields) =>
          mutate(app, name, input, fields, ownMerchant.keys.sandbox);
        const { id: chargeId } = await seedCharge(service, ownMerchant, { mode: 'sandbox' });
        await call('completeSandboxCharge', { id: chargeId }, 'charge { status }');
        const { id } = (await call('createRefund', { chargeId, customerAmount: '20.50' })).refund;
        const details = { bank: '004', account: '123456789', accountName: 'Ada Wong' };
        await call('submitRefundDetails', { id, ...details });
        expect((await call('completeRefund', { id })).refund.status).toBe('completed');
        const where = { merchantId, kind: { in: ['receipt', 'refund-link', 'refund-sent'] } };
        const messages = await service.prisma.message.findMany({ where, orderBy: { kind: 'asc' } });
        expect(messages.map(({ kind, createdAt }) => [kind, createdAt])).toEqual([
          ['receipt', noon],
          ['refund-link', noon],
          ['refund-sent', noon],
        ]);
      },
    );

    refundTest('shows a client token only the public fields', async ({ app, charge: { id } }) => {
      await create(app, id, '5');
      const as = { token: createClientToken(app.context.service.secrets, { id, mode: 'sandbox' }) };
      const visible = await app.ask(`{ charge(id: "${id}") { refunds { status customerAmount } } }`, { as });
      expect(visible.data.charge.refunds).toEqual([{ status: 'initiated', customerAmount: '5.00' }]);
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

    refundTest('belongs to one merchant and mode', async ({ app, charge }) => {
      const { refund } = await create(app, charge.id, '1');
      for (const as of [app.otherMerchant.keys.sandbox, app.merchant.keys.live]) {
        const { data } = await app.ask(
          `{ refund(id: "${refund.id}") { id } node(id: "${refund.id}") { id } }`,
          { as },
        );
        expect(data).toEqual({ refund: null, node: null });
      }
    });

    refundTest(
      'dates its mails by the machine clock if the test clock is ahead',
      async ({ app, charge: { id } }) => {
        const { prisma } = app.context.service;
        const moveClock = (testClockOffsetMs: bigint) =>
          prisma.merchant.update({ where: { id: app.merchant.merchant.id }, data: { testClockOffsetMs } });
        await moveClock(86_400_000n);
        const { refund } = await create(app, id, '20.50');
        await change(app, 'submitRefundDetails', {
          id: refund.id,
          account: '123456789',
          bank: '004',
          accountName: 'Ada',
        });
        await change(app, 'reopenRefund', { id: refund.id, reason: 'Account closed' });
        await moveClock(0n);
        const dedupeKey = { startsWith: `refund-link ${refund.id} ` };
        const mails = await prisma.message.findMany({ where: { dedupeKey } });
        expect(mails.map(({ createdAt }) => createdAt)).toEqual([noon, noon]);
      },
    );
  });
});

describe('Payouts', () => {
  const test = fakeTimeGraphqlTest;

  test('refundsAwaitingPayout lists the paying account and the time of the export', async ({
    service,
    app,
  }) => {
    const merchant = await seedMerchant(service);
    const as = merchant.keys.live;
    const exported = await seedPayableRefund(service, merchant);
    await mutate(app, 'createExport', { kind: 'payouts' }, 'export { id }', as);
    const fresh = await seedPayableRefund(service, merchant, { now: minutesAfter(noon, 1) });
    const { receivingAccountId } = await service.prisma.charge.findUniqueOrThrow({
      where: { id: fresh.chargeId },
    });
    const query = `query ($filter: RefundsAwaitingPayoutFilter) { refundsAwaitingPayout(filter: $filter) { totalCount nodes {
    id payoutReference payoutExportedAt payingAccount { id } payoutDetails { account } } } }`;
    const listAwaiting = async (filter: object) =>
      (await app.ask(query, { variables: { filter }, as })).data.refundsAwaitingPayout;
    expect(await listAwaiting({})).toEqual({
      totalCount: 2,
      nodes: [
        {
          id: fresh.id,
          payoutReference: fresh.payoutReference,
          payoutExportedAt: null,
          payingAccount: { id: receivingAccountId },
          payoutDetails: { account: '123456789' },
        },
        expect.objectContaining({ id: exported.id, payoutExportedAt: noon.toISOString() }),
      ],
    });
    expect((await listAwaiting({ isExported: false, currency: 'HKD' })).nodes).toMatchObject([
      { id: fresh.id },
    ]);
    expect((await listAwaiting({ isExported: true, receivingAccountId })).nodes).toMatchObject([
      { id: exported.id },
    ]);
    expect((await listAwaiting({ currency: 'THB' })).totalCount).toBe(0);
  });

  test('a refund shows its payouts and an unresolved return', async ({ service, app }) => {
    const paid = await seedPayableRefund(service, app.merchant);
    const out = await payOut(service, app.merchant, paid);
    const back = await returnPayout(service, app.merchant, paid);
    const { data } = await app.ask(
      `query ($id: ID!, $out: ID!, $back: ID!) {
      refund(id: $id) { status payouts { amount currency actor { kind } payoutReference transfer { id } returnTransfer { id } }
        unresolvedReturnTransfer { id } }
      out: transfer(id: $out) { direction status reason paidRefund { id } returnedRefund { id } }
      back: transfer(id: $back) { status reason paidRefund { id } returnedRefund { id } } }`,
      { variables: { id: paid.id, out: out.transferId, back: back.transferId } },
    );
    expect(data).toEqual({
      refund: {
        status: 'completed',
        payouts: [
          {
            amount: '20.50',
            currency: 'HKD',
            actor: { kind: 'api_key' },
            payoutReference: paid.payoutReference,
            transfer: { id: out.transferId },
            returnTransfer: null,
          },
        ],
        unresolvedReturnTransfer: { id: back.transferId },
      },
      out: {
        direction: 'debit',
        status: 'outgoing',
        reason: null,
        paidRefund: { id: paid.id },
        returnedRefund: null,
      },
      back: {
        status: 'exception',
        reason: 'returned_payment',
        paidRefund: null,
        returnedRefund: { id: paid.id },
      },
    });
    const odd = await payOut(service, app.merchant, paid, { id: 'rent', reference: 'Rent' });
    const unknown = await app.ask(`{ transfer(id: "${odd.transferId}") { reason } }`);
    expect(unknown.data.transfer).toEqual({ reason: 'unknown_payout' });
  });
});
