import { beforeAll, describe, expect, test } from 'vitest';
import type { Refund } from '../../prisma/client/client.ts';
import { buildExports } from '../../src/domain/export/build-exports.ts';
import { basic } from '../setup/api.ts';
import { testClock } from '../setup/clock.ts';
import { type As, type GraphqlApp, graphqlApp, type Json } from '../setup/graphql.ts';
import { makeCharge, minutesAfter, noon } from '../setup/makers.ts';
import { comeBack, payOut, refundToPay } from '../setup/payouts.ts';
import { signedInAs } from '../setup/sign-in.ts';

let app: GraphqlApp;
const clock = testClock(noon);
let refund: Refund;

beforeAll(async () => {
  app = await graphqlApp({ clock });
  refund = await refundToPay(app.context.service, app.merchant);
});

const service = () => app.context.service;
const exportFields = 'id kind format status progress rows total fileName size downloadUrl errorReason';

async function create(input: object, as: As = app.merchant.keys.live): Promise<Json> {
  const { data, errors } = await app.ask(
    `mutation ($input: CreateExportInput!) { createExport(input: $input) {
      ... on CreateExportSuccess { export { ${exportFields} } }
      ... on InvalidRequestError { code errors { path } } ... on Error { code message } } }`,
    { variables: { input }, as },
  );
  expect(errors).toBeUndefined();
  return data.createExport;
}

async function read(id: string, as: As = app.merchant.keys.live): Promise<Json> {
  return (await app.ask(`{ export(id: "${id}") { ${exportFields} } }`, { as })).data.export;
}

const download = (path: string, authorization: string) =>
  app.app.inject({ method: 'GET', url: path, headers: { authorization } });

describe('exports', () => {
  test('are asked for, followed, and got with the same credentials', async () => {
    const other = await makeCharge(service(), app.merchant, { input: { email: 'bob@example.com' } });
    const filter = { customerEmail: 'BOB@example.com', status: ['pending'] };
    const made = await create({ kind: 'charges', chargeFilter: filter, byteOrderMark: true });
    expect(made.export).toMatchObject({ status: 'queued', progress: 0, downloadUrl: null, format: 'csv' });
    const { id } = made.export;
    const path = `/exports/${id}/file`;
    expect((await download(path, basic(app.merchant.keys.live))).statusCode).toBe(404);
    await buildExports(service(), { clock });
    const done = await read(id);
    expect(done).toMatchObject({ status: 'done', progress: 1, rows: 1, total: 1, errorReason: null });
    expect(done.downloadUrl).toBe(`http://127.0.0.1:4000${path}`);
    const file = await download(path, basic(app.merchant.keys.live));
    expect(file.statusCode).toBe(200);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="charges-2026-11-17.csv"',
      'content-length': String(done.size),
      'cache-control': 'no-store',
    });
    expect(file.body.split('\r\n')).toEqual([
      expect.stringMatching(/^\uFEFFid,status,/),
      expect.stringContaining(other.id),
      '',
    ]);
    for (const keys of [app.stranger.keys.live, app.merchant.keys.sandbox]) {
      expect(await read(id, keys)).toBeNull();
      expect((await download(path, basic(keys))).statusCode).toBe(404);
    }
    expect((await app.app.inject({ url: path })).statusCode).toBe(401);
    expect((await app.ask('{ exports { totalCount nodes { id } } }')).data.exports).toEqual({
      totalCount: 1,
      nodes: [{ id }],
    });
  });

  test('of the lists take the filters of the lists', async () => {
    const transfers = await create({ kind: 'transfers', transferFilter: { status: ['matched'] } });
    const refunds = await create({ kind: 'refunds', refundFilter: { status: ['initiated'] } });
    await buildExports(service(), { clock });
    expect(await read(transfers.export.id)).toMatchObject({ rows: 1 });
    expect(await read(refunds.export.id)).toMatchObject({ rows: 0, status: 'done', progress: 1 });
  });

  test('of the books need their days', async () => {
    expect(await create({ kind: 'reconciliation', from: '2026-11-01' })).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/to' }],
    });
    const backwards = { kind: 'reconciliation', from: '2026-11-02', to: '2026-11-01' };
    expect((await create(backwards)).code).toBe('invalid_request');
  });

  test('of refunds to pay are for who may pay, also in the dashboard', async () => {
    const owner = await signedInAs('owner', app, app.merchant);
    const support = await signedInAs('support', app, app.merchant);
    const asked = { kind: 'payouts', format: 'pain_001_001_09' };
    const mutation = `mutation ($input: CreateExportInput!) { createExport(input: $input) {
      __typename ... on CreateExportSuccess { export { id } } } }`;
    const ask = async (who: typeof owner) =>
      (await who.ask(mutation, { variables: { input: asked } })).data.createExport;
    expect((await ask(support)).__typename).toBe('PermissionError');
    const { id } = (await ask(owner)).export;
    await buildExports(service(), { clock });
    const file = async (who: typeof owner) =>
      app.app.inject({ url: `/exports/${id}/file`, headers: { cookie: who.cookie() ?? '' } });
    expect((await file(support)).statusCode).toBe(403);
    const got = await file(owner);
    expect(got.statusCode).toBe(200);
    expect(got.headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(got.body).toContain(refund.payoutReference);
    expect((await create(asked)).code).toBe('invalid_request');
  });
});

describe('refunds to pay', () => {
  const ask = async (filter: object) =>
    (
      await app.ask(
        `query ($filter: RefundPayoutFilter) { refundPayouts(filter: $filter) { totalCount nodes {
          id payoutReference payoutExportedAt payingAccount { id } payoutDetails { account } } } }`,
        { variables: { filter } },
      )
    ).data.refundPayouts;

  test('are listed with the account that pays, and whether they were exported', async () => {
    const fresh = await refundToPay(service(), app.merchant, { now: minutesAfter(noon, 1) });
    const { receivingAccountId } = await service().prisma.charge.findUniqueOrThrow({
      where: { id: fresh.chargeId },
    });
    expect(await ask({})).toEqual({
      totalCount: 2,
      nodes: [
        expect.objectContaining({
          id: fresh.id,
          payoutExportedAt: null,
          payingAccount: { id: receivingAccountId },
          payoutDetails: { account: '123456789' },
        }),
        expect.objectContaining({ id: refund.id, payoutExportedAt: noon.toISOString() }),
      ],
    });
    expect((await ask({ exported: false, currency: 'HKD' })).nodes).toMatchObject([{ id: fresh.id }]);
    expect((await ask({ exported: true, receivingAccountId })).nodes).toMatchObject([{ id: refund.id }]);
    expect((await ask({ currency: 'THB' })).totalCount).toBe(0);
  });

  test('show the lines of the bank, and what came back', async () => {
    const paid = await refundToPay(service(), app.merchant);
    const out = await payOut(service(), app.merchant, paid);
    const back = await comeBack(service(), app.merchant, paid);
    const { data } = await app.ask(
      `query ($id: ID!, $out: ID!, $back: ID!) {
        refund(id: $id) { status payouts { amount currency actor reference transfer { id } returnedTransfer { id } }
          returnedPayout { id } }
        out: transfer(id: $out) { direction status reason payoutOf { id } returnedPayoutOf { id } }
        back: transfer(id: $back) { status reason payoutOf { id } returnedPayoutOf { id } } }`,
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
            reference: paid.payoutReference,
            transfer: { id: out.transferId },
            returnedTransfer: null,
          },
        ],
        returnedPayout: { id: back.transferId },
      },
      out: {
        direction: 'debit',
        status: 'outgoing',
        reason: null,
        payoutOf: { id: paid.id },
        returnedPayoutOf: null,
      },
      back: {
        status: 'exception',
        reason: 'returned_payment',
        payoutOf: null,
        returnedPayoutOf: { id: paid.id },
      },
    });
    const odd = await payOut(service(), app.merchant, paid, { id: 'rent', reference: 'Rent' });
    const told = await app.ask(`{ transfer(id: "${odd.transferId}") { reason } }`);
    expect(told.data.transfer).toEqual({ reason: 'unknown_payout' });
  });
});

test('the books are told by day', async () => {
  const { data } = await app.ask(
    `{ reconciliation(from: "2026-11-17", to: "2026-11-17") { from to timeZone start end lines {
      currency receivingAccount { method } opening received matched partial exceptions returned refunded closing
      otherOutgoing } } }`,
  );
  expect(data.reconciliation).toEqual({
    from: '2026-11-17',
    to: '2026-11-17',
    timeZone: 'UTC',
    start: '2026-11-17T00:00:00.000Z',
    end: '2026-11-18T00:00:00.000Z',
    lines: [
      {
        currency: 'HKD',
        receivingAccount: { method: 'fps' },
        opening: '0.00',
        received: '406.00',
        matched: '385.50',
        partial: '0.00',
        exceptions: '20.50',
        returned: '0.00',
        refunded: '20.50',
        closing: '385.50',
        otherOutgoing: '20.50',
      },
    ],
  });
  const wrong = await app.ask('{ reconciliation(from: "2026-02-30", to: "2026-03-01") { from } }');
  expect(wrong.errors[0].message).toContain('must be a day');
});
