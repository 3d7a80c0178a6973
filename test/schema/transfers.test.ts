import { describe, expect } from 'vitest';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import { type ApiAuth, type GraphqlApp, type Json, mutate } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';

describe('Transfers', () => {
  const charge = (app: GraphqlApp, email: string) =>
    seedCharge(app.context.service, app.merchant, { input: { email }, now: new Date() });

  let ids = 0;

  const buildItem = (paid: { paymentReference: string; receivingAccountId: string }, input: object = {}) => ({
    bankReference: `bank-${ids++}`,
    receivingAccountId: paid.receivingAccountId,
    amount: '128.50',
    currency: 'HKD',
    reference: `TEA ${paid.paymentReference}`,
    paidAt: new Date().toISOString(),
    ...input,
  });

  const record = async (app: GraphqlApp, transfers: object[]) => {
    const { data, errors } = await app.ask(
      `mutation ($input: RecordTransfersInput!) { recordTransfers(input: $input) {
      ... on RecordTransfersSuccess { results { bankReference status reason detail transfer { id amount bankReference source direction } charge { id status } } }
      ... on InvalidRequestError { code errors { path message } }
    } }`,
      { variables: { input: { transfers } } },
    );
    expect(errors).toBeUndefined();
    return data.recordTransfers;
  };

  describe('recordTransfers', () => {
    test('returns the result of each transfer in the order of the input', async ({ app }) => {
      const [exact, part, more] = await Promise.all(
        ['exact', 'part', 'more'].map((name) => charge(app, `${name}@x.co`)),
      );
      const items = [
        buildItem(exact!),
        buildItem(part!, { amount: '28.50' }),
        buildItem(more!, { amount: '130', method: 'fps', account: 'unused' }),
        buildItem(exact!, { reference: 'no reference' }),
        buildItem(exact!, { currency: 'USD' }),
        buildItem(exact!, { receivingAccountId: 'acc_unknown' }),
        buildItem(exact!, { amount: '1.001' }),
      ];
      const { results } = await record(app, items);
      expect(results.map((transfer: Json) => transfer.bankReference)).toEqual(
        items.map((item) => item.bankReference),
      );
      expect(results.map((transfer: Json) => [transfer.status, transfer.reason, transfer.charge])).toEqual([
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
        detail: expect.stringContaining('receivingAccountId'),
      });
    });

    test('reports a repeated transfer as a duplicate and does not allocate it', async ({ app }) => {
      const paid = await charge(app, 'repeated@example.com');
      const item = buildItem(paid, { amount: '100' });
      await record(app, [item]);
      const { results } = await record(app, [item]);
      expect(results).toMatchObject([{ status: 'duplicate', charge: { id: paid.id, status: 'pending' } }]);
      const { data } = await app.ask(`{ charge(id: "${paid.id}") { amountReceived transfers { id } } }`);
      expect(data.charge).toMatchObject({ amountReceived: '100.00', transfers: [{}] });
    });

    test('accepts 1 to 500 transfers', async ({ app }) => {
      const paid = await charge(app, 'limits@example.com');
      const error = { code: 'invalid_request', errors: [{ path: '/transfers' }] };
      expect(await record(app, [])).toMatchObject(error);
      expect(
        await record(
          app,
          Array.from({ length: 501 }, () => buildItem(paid)),
        ),
      ).toMatchObject(error);
    });
  });

  test('a time range includes the entire second of an end without milliseconds', async ({ app }) => {
    const paid = await charge(app, 'paid-at@example.com');
    const { results } = await record(app, [buildItem(paid, { paidAt: '2026-03-03T03:03:03.700Z' })]);
    const query = `query ($filter: TransferFilter) { transfers(filter: $filter) { nodes { id } } }`;
    const find = async (paidTo: string) => {
      const filter = { paidFrom: '2026-03-03T03:03:03Z', paidTo };
      return (await app.ask(query, { variables: { filter } })).data.transfers.nodes;
    };
    expect(await find('2026-03-03T03:03:03Z')).toEqual([{ id: results[0].transfer.id }]);
    expect(await find('2026-03-03T03:03:03.699Z')).toEqual([]);
  });

  test('a search finds % and _ only as themselves', async ({ app }) => {
    const paid = await charge(app, 'wildcards@example.com');
    const { results } = await record(app, [
      buildItem(paid, { reference: 'FT_1 half' }),
      buildItem(paid, { reference: 'FTX1 50% half' }),
    ]);
    const query = `query ($search: String!) { transfers(filter: { search: $search }) { nodes { id } } }`;
    const find = async (search: string) =>
      (await app.ask(query, { variables: { search } })).data.transfers.nodes.map(({ id }: Json) => id);
    const [first, second] = results.map(({ transfer }: Json) => transfer.id);
    expect(await find('ft_1 h')).toEqual([first]);
    expect(await find('0% h')).toEqual([second]);
    expect(await find('T%1')).toEqual([]);
  });

  test('an amount range includes both ends, and selects one currency', async ({ app }) => {
    const paid = await charge(app, 'amounts@example.com');
    const amounts = ['41.11', '41.12', '41.13'];
    const { results } = await record(
      app,
      amounts.map((amount) => buildItem(paid, { amount, reference: 'nothing' })),
    );
    const query = `query ($filter: TransferFilter) { transfers(filter: $filter) { totalCount nodes { id } } }`;
    const find = async (amount: object) => {
      const { data } = await app.ask(query, { variables: { filter: { amount } } });
      expect(data.transfers.totalCount).toBe(data.transfers.nodes.length);
      return data.transfers.nodes.map(({ id }: Json) => id).toSorted();
    };
    const ids = results.map(({ transfer }: Json) => transfer.id);
    expect(await find({ currency: 'HKD', min: '41.11', max: '41.12' })).toEqual(ids.slice(0, 2).toSorted());
    expect(await find({ currency: 'HKD', min: '41.13', max: '41.13' })).toEqual([ids[2]]);
    expect(await find({ currency: 'SGD', min: '41.11', max: '41.13' })).toEqual([]);
    const { results: foreign } = await record(app, [buildItem(paid, { amount: '41.12', currency: 'USD' })]);
    expect(await find({ currency: 'USD', min: '41.12', max: '41.12' })).toEqual([foreign[0].transfer.id]);
    expect(await find({ currency: 'HKD', min: '41.12', max: '41.12' })).toEqual([ids[1]]);
    const { errors } = await app.ask(query, {
      variables: { filter: { amount: { currency: 'HKD', min: '-1' } } },
    });
    expect(errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/filter/amount/min' }],
    });
  });

  test('transfers are listed newest first and filtered by status', async ({ app }) => {
    const paid = await charge(app, 'listed@example.com');
    const { results } = await record(app, [buildItem(paid), buildItem(paid, { reference: 'nothing' })]);
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
    const document = `query ($id: ID!) { transfer(id: $id) { id charges { id } } }`;
    const variables = { id: results[0].transfer.id };
    expect((await app.ask(document, { variables })).data.transfer).toMatchObject({
      charges: [{ id: paid.id }],
    });
    expect(
      (await app.ask(document, { variables, as: app.otherMerchant.keys.live })).data.transfer,
    ).toBeNull();
  });
});

describe('Decisions', () => {
  let number = 0;

  const seedSandboxCharge = (app: GraphqlApp, input: object = {}) =>
    seedCharge(app.context.service, app.merchant, {
      mode: 'sandbox',
      input: { email: `payer${++number}@example.com`, ...input },
      now: new Date(),
    });

  const simulate = async (
    app: GraphqlApp,
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
    test.for([
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
      ['mistyped_reference', [['exception', 'mistyped_reference']], { status: 'pending' }],
      ['wrong_currency', [['exception', 'wrong_currency']], { status: 'pending' }],
      [
        'reversed',
        [
          ['exception', 'reversed'],
          ['outgoing', null],
        ],
        { status: 'completed', paymentState: 'none' },
      ],
    ] as const)('records the transfers of the kind %s', async ([kind, transfers, charge], { app }) => {
      const { id } = await seedSandboxCharge(app);
      const simulated = await simulate(app, id, kind);
      expect(simulated.transfers.map((transfer: Json) => [transfer.status, transfer.reason])).toEqual(
        transfers,
      );
      expect(simulated.charge).toMatchObject(charge);
      expect(simulated.transfers.every((transfer: Json) => transfer.source === 'simulation')).toBe(true);
    });

    test('accepts an amount', async ({ app }) => {
      const { id } = await seedSandboxCharge(app);
      const simulated = await simulate(app, id, 'exact', { amount: '100.00' });
      expect(simulated.charge).toMatchObject({ amountReceived: '100.00', amountDifference: '-28.50' });
    });

    test('is available only in the sandbox', async ({ app }) => {
      const { id } = await seedCharge(app.context.service, app.merchant, { now: new Date() });
      expect(await simulate(app, id, 'exact', {}, app.merchant.keys.live)).toMatchObject({
        code: 'sandbox_only',
      });
      expect(await simulate(app, id, 'exact')).toMatchObject({ code: 'charge_not_found' });
    });
  });

  describe('suggestions for an unmatched transfer', () => {
    test('list the matching charge with the reasons', async ({ app }) => {
      const expected = await seedSandboxCharge(app, { merchantAmount: 71.5 });
      await seedSandboxCharge(app, { merchantAmount: 93 });
      const suggested = async (kind: string) => {
        const { transfers } = await simulate(app, expected.id, kind);
        return transfers.at(-1).suggestions;
      };
      expect(await suggested('missing_reference')).toEqual([
        { charge: { id: expected.id }, reasons: ['same_amount'] },
      ]);
      expect(await suggested('mistyped_reference')).toEqual([
        { charge: { id: expected.id }, reasons: ['similar_reference', 'same_amount'] },
      ]);
      expect(await suggested('late')).toEqual([
        { charge: { id: expected.id }, reasons: ['same_reference', 'same_amount'] },
      ]);
      expect(await suggested('exact')).toEqual([]);
    });
  });

  describe('decisions about an unmatched transfer', () => {
    const exception = async (app: GraphqlApp, chargeId: string) =>
      (await simulate(app, chargeId, 'missing_reference')).transfers[0] as Json;
    const decide = (
      app: GraphqlApp,
      name: string,
      input: object,
      as: ApiAuth = app.merchant.keys.sandbox,
    ): Promise<Json> => {
      const charges = { assignTransfer: 'charge { id status }', splitTransfer: 'charges { id status }' }[
        name
      ];
      return mutate(app, name, input, `transfer { status reason amountUnallocated } ${charges ?? ''}`, as);
    };

    test('assign, unassign, split and return it', async ({ app }) => {
      const [first, second] = [await seedSandboxCharge(app), await seedSandboxCharge(app)];
      const { id } = await exception(app, first.id);
      expect(await decide(app, 'assignTransfer', { id, chargeId: first.id })).toMatchObject({
        transfer: { status: 'matched', reason: null, amountUnallocated: '0.00' },
        charge: { id: first.id, status: 'completed' },
      });
      expect(
        await decide(app, 'unassignTransfer', { id, chargeId: first.id, note: 'wrong one' }),
      ).toMatchObject({
        transfer: { status: 'exception', reason: 'unassigned', amountUnallocated: '128.50' },
      });
      const parts = [{ chargeId: second.id, amount: '100.00' }];
      expect(await decide(app, 'splitTransfer', { id, parts })).toMatchObject({
        transfer: { status: 'exception', amountUnallocated: '28.50' },
        charges: [{ id: second.id, status: 'pending' }],
      });
      expect(await decide(app, 'returnTransfer', { id })).toMatchObject({
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

    test('do not find transfers and charges of another merchant or mode', async ({ app }) => {
      const charge = await seedSandboxCharge(app);
      const { id } = await exception(app, charge.id);
      const input = { id, chargeId: charge.id };
      expect(await decide(app, 'assignTransfer', input, app.otherMerchant.keys.sandbox)).toMatchObject({
        code: 'charge_not_found',
      });
      expect(await decide(app, 'returnTransfer', { id }, app.otherMerchant.keys.sandbox)).toMatchObject({
        code: 'transfer_not_found',
      });
      expect(await decide(app, 'assignTransfer', input, app.merchant.keys.live)).toMatchObject({
        code: 'charge_not_found',
      });
      expect(await decide(app, 'assignTransfer', input)).toMatchObject({ transfer: { status: 'matched' } });
    });
  });
});
