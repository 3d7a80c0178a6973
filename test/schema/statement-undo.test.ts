import { expect } from 'vitest';
import type { Statement } from '../../prisma/client/client.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { type GraphqlApp, mutate } from '../setup/graphql.ts';
import { csvLines, importFile, queueFile } from '../setup/import-file.ts';
import { expectInvariants } from '../setup/invariants.ts';
import { noon, seedApiKey, seedCharge, seedMerchant } from '../setup/seed.ts';
import { booking, camtXml } from '../setup/statement-files.ts';
import { seedSubscription } from '../setup/subscriptions.ts';
import { finishUndo } from '../setup/undo.ts';

const test = graphqlTest.extend('merchant', ({ service }, { onCleanup }) => {
  onCleanup(() => expectInvariants(service));
  return seedMerchant(service);
});

const undoFields = 'statement { id status undoneCount undoneAt undoneBy { kind } }';
const previewQuery = `query ($id: ID!) { statementUndoPreview(id: $id) { canUndo transferCount completedChargeCount
  subscriptionCount cancelledRefundCount blockingRefundCount blockingRefunds { id } } }`;

async function ask(app: GraphqlApp, statement: Statement, query: string, as: object) {
  const { data, errors } = await app.ask(query, { variables: { id: statement.id }, as: as as never });
  expect(errors).toBeUndefined();
  return data;
}

test('A statement is previewed, undone by a worker, and shown as undone with its transfers', async ({
  app,
  service,
  merchant,
}) => {
  const as = merchant.keys.live;
  const charge = await seedCharge(service, merchant);
  const statement = await importFile(service, merchant, {
    content: camtXml(booking({ reference: 'R1', text: charge.paymentReference })),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  });
  const preview = await ask(app, statement, previewQuery, as);
  expect(preview.statementUndoPreview).toEqual({
    canUndo: true,
    transferCount: 1,
    completedChargeCount: 1,
    subscriptionCount: 0,
    cancelledRefundCount: 0,
    blockingRefundCount: 0,
    blockingRefunds: [],
  });
  const started = await mutate(app, 'undoStatement', { id: statement.id }, undoFields, as);
  expect(started.statement).toMatchObject({
    status: 'undoing',
    undoneAt: null,
    undoneBy: { kind: 'api_key' },
  });
  await finishUndo(service, statement);
  const text = `query ($id: ID!) { statement(id: $id) { status undoneCount undoneAt
    transfers(first: 5) { nodes { status reason undoneAt amountUnallocated } } } }`;
  const { statement: undone } = await ask(app, statement, text, as);
  expect(undone).toMatchObject({ status: 'undone', undoneCount: 1 });
  expect(undone.transfers.nodes).toEqual([
    { status: 'exception', reason: 'reversed', undoneAt: undone.undoneAt, amountUnallocated: '0.00' },
  ]);
  const again = await ask(app, statement, previewQuery, as);
  expect(again.statementUndoPreview).toMatchObject({ canUndo: false, transferCount: 0 });
});

test('A statement whose money was refunded is not undone, and the preview names the refund', async ({
  app,
  service,
  merchant,
}) => {
  const as = merchant.keys.live;
  const charge = await seedCharge(service, merchant);
  const statement = await importFile(service, merchant, {
    content: camtXml(booking({ reference: 'R1', text: charge.paymentReference })),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  });
  const { refund } = await mutate(
    app,
    'createRefund',
    { chargeId: charge.id, customerAmount: '1' },
    'refund { id }',
    as,
  );
  const details = { id: refund.id, bank: '004', account: '123456789', accountName: 'Ada Wong' };
  await mutate(app, 'submitRefundDetails', details, 'refund { status }', as);
  const preview = await ask(app, statement, previewQuery, as);
  expect(preview.statementUndoPreview).toMatchObject({
    canUndo: false,
    blockingRefundCount: 1,
    blockingRefunds: [{ id: refund.id }],
  });
  const rejected = await mutate(app, 'undoStatement', { id: statement.id }, undoFields, as);
  expect(rejected).toMatchObject({ code: 'statement_refunded' });
});

test('A subscription keeps its paid period, and is flagged until its charge is paid again', async ({
  app,
  service,
  merchant,
}) => {
  const as = merchant.keys.live;
  const { subscription, charge } = await seedSubscription(service, merchant);
  const file = {
    content: camtXml(
      booking({
        reference: 'R1',
        text: charge!.paymentReference,
        amount: (Number(charge!.customerAmount) / 100).toFixed(2),
      }),
    ),
    receivingAccountId: charge!.receivingAccountId,
    now: noon,
  };
  const statement = await importFile(service, merchant, file);
  const text = `query ($id: ID!) { subscription(id: $id) { status activeUntil hasReversedPayment } }`;
  const read = async () =>
    (await app.ask(text, { variables: { id: subscription.id }, as })).data.subscription;
  const paid = await read();
  expect(paid).toMatchObject({ status: 'active', hasReversedPayment: false });
  await mutate(app, 'undoStatement', { id: statement.id }, undoFields, as);
  await finishUndo(service, statement);
  expect(await read()).toEqual({ ...paid, hasReversedPayment: true });
  await importFile(service, merchant, file);
  expect(await read()).toEqual(paid);
});

test('A running import is cancelled once', async ({ app, service, merchant }) => {
  const as = merchant.keys.live;
  const charge = await seedCharge(service, merchant);
  const { statement } = await queueFile(service, merchant, {
    ...csvLines(charge.paymentReference, 2),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  });
  const fields = 'statement { status finishedAt }';
  const { statement: cancelled } = await mutate(app, 'cancelStatement', { id: statement.id }, fields, as);
  expect(cancelled).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
  const again = await mutate(app, 'cancelStatement', { id: statement.id }, fields, as);
  expect(again).toMatchObject({ code: 'statement_not_in_progress' });
});

test('Statements of other merchants are neither previewed, cancelled nor undone', async ({
  app,
  service,
  merchant,
}) => {
  const charge = await seedCharge(service, merchant);
  const statement = await importFile(service, merchant, {
    ...csvLines(charge.paymentReference, 2),
    receivingAccountId: charge.receivingAccountId,
    now: noon,
  });
  const as = app.otherMerchant.keys.live;
  expect((await ask(app, statement, previewQuery, as)).statementUndoPreview).toBeNull();
  for (const operation of ['cancelStatement', 'undoStatement'])
    expect(await mutate(app, operation, { id: statement.id }, 'statement { id }', as)).toMatchObject({
      code: 'statement_not_found',
    });
  const readOnly = await seedApiKey(service, merchant, { permissions: ['read'] });
  expect(
    await mutate(app, 'undoStatement', { id: statement.id }, 'statement { id }', readOnly),
  ).toMatchObject({
    code: 'permission_denied',
  });
});
