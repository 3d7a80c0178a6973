import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let number = 0;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

const sandboxCharge = (input: object = {}) =>
  seedCharge(app.context.service, app.merchant, {
    mode: 'sandbox',
    input: { email: `payer${++number}@example.com`, ...input },
    now: new Date(),
  });

const simulate = async (
  chargeId: string,
  kind: string,
  more: object = {},
  as = app.merchant.keys.sandbox,
) => {
  const { data, errors } = await app.ask(
    `mutation ($input: SimulateTransferInput!) { simulateTransfer(input: $input) {
      ... on SimulateTransferSuccess {
        transfers { id status reason amount amountUnallocated source suggestions { reasons charge { id } } }
        charge { status amountReceived amountDifference paymentState }
      }
      ... on UserError { code }
    } }`,
    { variables: { input: { chargeId, kind, ...more } }, as },
  );
  expect(errors).toBeUndefined();
  return data.simulateTransfer;
};

describe('simulateTransfer', () => {
  test.each([
    ['exact', [['matched', null]], { status: 'completed', paymentState: 'exact' }],
    ['underpaid', [['partial', null]], { status: 'pending', paymentState: 'partial' }],
    ['overpaid', [['over', null]], { status: 'completed', paymentState: 'over' }],
    ['late', [['exception', 'charge_expired']], { status: 'pending', paymentState: 'none' }],
    [
      'duplicate_payment',
      [
        ['matched', null],
        ['exception', 'charge_completed'],
      ],
      { status: 'completed' },
    ],
    ['missing_reference', [['exception', 'missing_reference']], { status: 'pending' }],
    ['mistyped_reference', [['exception', 'unknown_reference']], { status: 'pending' }],
    ['wrong_currency', [['exception', 'wrong_currency']], { status: 'pending' }],
    [
      'reversed',
      [
        ['exception', 'reversed'],
        ['outgoing', null],
      ],
      { status: 'completed', paymentState: 'none' },
    ],
  ])('shows what becomes of a payment that is %s', async (kind, transfers, charge) => {
    const { id } = await sandboxCharge();
    const told = await simulate(id, kind);
    expect(told.transfers.map((one: Json) => [one.status, one.reason])).toEqual(transfers);
    expect(told.charge).toMatchObject(charge);
    expect(told.transfers.every((one: Json) => one.source === 'simulation')).toBe(true);
  });

  test('takes an amount of its own', async () => {
    const { id } = await sandboxCharge();
    const told = await simulate(id, 'exact', { amount: '100.00' });
    expect(told.charge).toMatchObject({ amountReceived: '100.00', amountDifference: '-28.50' });
  });

  test('exists in the sandbox alone', async () => {
    const { id } = await seedCharge(app.context.service, app.merchant, { now: new Date() });
    expect(await simulate(id, 'exact', {}, app.merchant.keys.live)).toMatchObject({ code: 'sandbox_only' });
    expect(await simulate(id, 'exact')).toMatchObject({ code: 'charge_not_found' });
  });
});

describe('the suggestions of an exception', () => {
  test('name the charge that was meant, with what speaks for it', async () => {
    const meant = await sandboxCharge({ merchantAmount: 71.5 });
    await sandboxCharge({ merchantAmount: 93 });
    const suggested = async (kind: string) => {
      const { transfers } = await simulate(meant.id, kind);
      return transfers.at(-1).suggestions;
    };
    expect(await suggested('missing_reference')).toEqual([
      { charge: { id: meant.id }, reasons: ['same_amount'] },
    ]);
    expect(await suggested('mistyped_reference')).toEqual([
      { charge: { id: meant.id }, reasons: ['similar_reference', 'same_amount'] },
    ]);
    expect(await suggested('late')).toEqual([
      { charge: { id: meant.id }, reasons: ['same_reference', 'same_amount'] },
    ]);
    expect(await suggested('exact')).toEqual([]);
  });
});

describe('decisions about an exception', () => {
  const exception = async (chargeId: string) =>
    (await simulate(chargeId, 'missing_reference')).transfers[0] as Json;
  const decide = (name: string, input: object, as: ApiAuth = app.merchant.keys.sandbox): Promise<Json> => {
    const charges = { assignTransfer: 'charge { id status }', splitTransfer: 'charges { id status }' }[name];
    return mutate(app, name, input, `transfer { status reason amountUnallocated } ${charges ?? ''}`, as);
  };

  test('assign, correct, split and send back', async () => {
    const [one, two] = [await sandboxCharge(), await sandboxCharge()];
    const { id } = await exception(one.id);
    expect(await decide('assignTransfer', { id, chargeId: one.id })).toMatchObject({
      transfer: { status: 'matched', reason: null, amountUnallocated: '0.00' },
      charge: { id: one.id, status: 'completed' },
    });
    expect(await decide('unassignTransfer', { id, chargeId: one.id, note: 'wrong one' })).toMatchObject({
      transfer: { status: 'exception', reason: 'unassigned', amountUnallocated: '128.50' },
    });
    const parts = [{ chargeId: two.id, amount: '100.00' }];
    expect(await decide('splitTransfer', { id, parts })).toMatchObject({
      transfer: { status: 'exception', amountUnallocated: '28.50' },
      charges: [{ id: two.id, status: 'pending' }],
    });
    expect(await decide('returnTransfer', { id })).toMatchObject({
      transfer: { status: 'partial', reason: null, amountUnallocated: '0.00' },
    });
    const { data } = await app.ask(
      `{ transfer(id: "${id}") { allocations { amount reason note charge { id } } } }`,
      { as: app.merchant.keys.sandbox },
    );
    expect(data.transfer.allocations).toMatchObject([
      { amount: '128.50', reason: 'assigned' },
      { amount: '-128.50', reason: 'unassigned', note: 'wrong one' },
      { amount: '100.00', reason: 'assigned' },
      { amount: '28.50', reason: 'returned', charge: null },
    ]);
  });

  test('are for the merchant’s own transfers and charges, with the permission', async () => {
    const charge = await sandboxCharge();
    const { id } = await exception(charge.id);
    const input = { id, chargeId: charge.id };
    expect(await decide('assignTransfer', input, app.otherMerchant.keys.sandbox)).toMatchObject({
      code: 'charge_not_found',
    });
    expect(await decide('returnTransfer', { id }, app.otherMerchant.keys.sandbox)).toMatchObject({
      code: 'transfer_not_found',
    });
    expect(await decide('assignTransfer', input, app.merchant.keys.live)).toMatchObject({
      code: 'charge_not_found',
    });
    expect(await decide('assignTransfer', input)).toMatchObject({ transfer: { status: 'matched' } });
  });
});
