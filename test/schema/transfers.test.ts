import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const charge = (email: string) =>
  seedCharge(app.context.service, app.merchant, { input: { email }, now: new Date() });

let ids = 0;
const itemFor = (paid: { paymentReference: string; receivingAccountId: string }, input: object = {}) => ({
  bankReference: `bank-${ids++}`,
  receivingAccountId: paid.receivingAccountId,
  amount: '128.50',
  currency: 'HKD',
  reference: `TEA ${paid.paymentReference}`,
  paidAt: new Date().toISOString(),
  ...input,
});

const record = async (transfers: object[]) => {
  const { data, errors } = await app.ask(
    `mutation ($input: RecordTransfersInput!) { recordTransfers(input: $input) {
      ... on RecordTransfersSuccess { results { bankReference status reason errorMessage transfer { id amount bankReference source direction } charge { id status } } }
      ... on InvalidRequestError { code errors { path message } }
    } }`,
    { variables: { input: { transfers } } },
  );
  expect(errors).toBeUndefined();
  return data.recordTransfers;
};

describe('recordTransfers', () => {
  test('says of each transfer, in the order given, what it has become', async () => {
    const [exact, part, more] = await Promise.all(
      ['exact', 'part', 'more'].map((name) => charge(`${name}@x.co`)),
    );
    const items = [
      itemFor(exact!),
      itemFor(part!, { amount: '28.50' }),
      itemFor(more!, { amount: '130', method: 'fps', account: 'unused' }),
      itemFor(exact!, { reference: 'no word at all' }),
      itemFor(exact!, { currency: 'USD' }),
      itemFor(exact!, { receivingAccountId: 'acc_unknown' }),
      itemFor(exact!, { amount: '1.001' }),
    ];
    const { results } = await record(items);
    expect(results.map((one: Json) => one.bankReference)).toEqual(items.map((one) => one.bankReference));
    expect(results.map((one: Json) => [one.status, one.reason, one.charge])).toEqual([
      ['matched', null, { id: exact!.id, status: 'completed' }],
      ['partial', null, { id: part!.id, status: 'pending' }],
      ['over', null, { id: more!.id, status: 'completed' }],
      ['exception', 'missing_reference', null],
      ['exception', 'wrong_currency', null],
      ['exception', 'invalid', null],
      ['exception', 'invalid', null],
    ]);
    expect(results[0].transfer).toMatchObject({
      amount: '128.50',
      bankReference: items[0]!.bankReference,
      source: 'feed',
      direction: 'credit',
    });
    expect(results[5]).toMatchObject({
      transfer: null,
      errorMessage: expect.stringContaining('receivingAccountId'),
    });
  });

  test('of the same again is a duplicate that counts nothing', async () => {
    const paid = await charge('twice@example.com');
    const item = itemFor(paid, { amount: '100' });
    await record([item]);
    const { results } = await record([item]);
    expect(results).toMatchObject([{ status: 'duplicate', charge: { id: paid.id, status: 'pending' } }]);
    const { data } = await app.ask(`{ charge(id: "${paid.id}") { amountReceived transfers { id } } }`);
    expect(data.charge).toMatchObject({ amountReceived: '100.00', transfers: [{}] });
  });

  test('takes 1 to 500', async () => {
    const paid = await charge('limits@example.com');
    const refused = { code: 'invalid_request', errors: [{ path: '/transfers' }] };
    expect(await record([])).toMatchObject(refused);
    expect(await record(Array.from({ length: 501 }, () => itemFor(paid)))).toMatchObject(refused);
  });
});

test('transfers are listed newest first, by status', async () => {
  const paid = await charge('listed@example.com');
  const { results } = await record([itemFor(paid), itemFor(paid, { reference: 'nothing' })]);
  const query = `query ($filter: TransferFilter) { transfers(filter: $filter, first: 50) { totalCount nodes { id status reason } } }`;
  const { data: all } = await app.ask(query);
  const sorted = all.transfers.nodes
    .map((node: Json) => node.id)
    .toSorted()
    .toReversed();
  expect(all.transfers.nodes.map((node: Json) => node.id)).toEqual(sorted);
  const { data } = await app.ask(query, { variables: { filter: { statuses: ['exception'] } } });
  expect(data.transfers.nodes).toContainEqual({
    id: results[1].transfer.id,
    status: 'exception',
    reason: 'missing_reference',
  });
  expect(data.transfers.nodes.every((node: Json) => node.status === 'exception')).toBe(true);
  expect(data.transfers.totalCount).toBe(data.transfers.nodes.length);
  const one = `query ($id: ID!) { transfer(id: $id) { id charges { id } } }`;
  const variables = { id: results[0].transfer.id };
  expect((await app.ask(one, { variables })).data.transfer).toMatchObject({ charges: [{ id: paid.id }] });
  expect((await app.ask(one, { variables, as: app.otherMerchant.keys.live })).data.transfer).toBeNull();
});
