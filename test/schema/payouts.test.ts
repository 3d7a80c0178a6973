import { beforeAll, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type GraphqlApp, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { payOut, returnPayout, seedPayableRefund } from '../setup/payouts.ts';
import { minutesAfter, noon, seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** Refunds that wait for money, and what the bank told of it. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup, { clock: createFakeClock(noon) });
});

const service = () => app.context.service;

test('refunds to pay are listed with the account that pays, and whether they were exported', async () => {
  const merchant = await seedMerchant(service());
  const as = merchant.keys.live;
  const exported = await seedPayableRefund(service(), merchant);
  await mutate(app, 'createExport', { kind: 'payouts' }, 'export { id }', as);
  const fresh = await seedPayableRefund(service(), merchant, { now: minutesAfter(noon, 1) });
  const { receivingAccountId } = await service().prisma.charge.findUniqueOrThrow({
    where: { id: fresh.chargeId },
  });
  const query = `query ($filter: RefundsAwaitingPayoutFilter) { refundsAwaitingPayout(filter: $filter) { totalCount nodes {
    id payoutReference payoutExportedAt payingAccount { id } payoutDetails { account } } } }`;
  const ask = async (filter: object) =>
    (await app.ask(query, { variables: { filter }, as })).data.refundsAwaitingPayout;
  expect(await ask({})).toEqual({
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
  expect((await ask({ isExported: false, currency: 'HKD' })).nodes).toMatchObject([{ id: fresh.id }]);
  expect((await ask({ isExported: true, receivingAccountId })).nodes).toMatchObject([{ id: exported.id }]);
  expect((await ask({ currency: 'THB' })).totalCount).toBe(0);
});

test('a refund shows the lines of the bank, and what came back', async () => {
  const paid = await seedPayableRefund(service(), app.merchant);
  const out = await payOut(service(), app.merchant, paid);
  const back = await returnPayout(service(), app.merchant, paid);
  const { data } = await app.ask(
    `query ($id: ID!, $out: ID!, $back: ID!) {
      refund(id: $id) { status payouts { amount currency actor payoutReference transfer { id } returnTransfer { id } }
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
          actor: 'bank',
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
  const odd = await payOut(service(), app.merchant, paid, { id: 'rent', reference: 'Rent' });
  const told = await app.ask(`{ transfer(id: "${odd.transferId}") { reason } }`);
  expect(told.data.transfer).toEqual({ reason: 'unknown_payout' });
});
