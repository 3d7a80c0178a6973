import { beforeAll, describe, expect, test } from 'vitest';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge } from '../setup/seed.ts';
import { recordStatements, type SentStatement } from '../setup/sent-statements.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
let ada: { id: string; paymentReference: string };
let bob: { id: string; paymentReference: string };
const volume = 20_000;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  const { service } = app.context;
  const make = (email: string, merchantAmount: number, id: string, minute: number) =>
    seedCharge(service, app.merchant, {
      input: { email, merchantAmount, orders: [{ name: 'Tea' }, { id, quantity: 2 }] },
      now: minutesAfter(noon, minute),
    });
  ada = await make('ada@example.com', 10, 'Order-1', 1);
  bob = await make('bob@example.com', 20.5, 'Order-2', 2);
  await seedCharge(service, app.otherMerchant, {
    input: { email: 'ada@example.com', orders: [{ id: 'Order-1' }] },
  });
  // Many others, each a little older than the one before, of other customers, orders and amounts.
  await service.prisma.$executeRaw`
    INSERT INTO charge SELECT made.* FROM charge model, generate_series(1, ${volume}) AS i,
      LATERAL jsonb_populate_record(model, jsonb_build_object(
        'id', 'ch_01aaaaaa' || lpad((${volume} - i)::text, 8, '0'), 'status', 'expired', 'merchant_amount', 5000 + i,
        'payment_reference', 'NONE' || i, 'orders', jsonb_build_array(jsonb_build_object('id', 'Old-' || i)))) AS made
    WHERE model.id = ${bob.id}`;
  await service.prisma.$executeRaw`ANALYZE charge`;
});

const query =
  'query ($filter: ChargeFilter) { charges(first: 50, filter: $filter) { totalCount nodes { id } } }';
const ask = (filter: object) => app.ask(query, { variables: { filter } });
const find = async (filter: object) => {
  const { data, errors } = await ask(filter);
  expect(errors).toBeUndefined();
  const ids: string[] = data.charges.nodes.map(({ id }: Json) => id);
  expect(data.charges.totalCount).toBe(ids.length);
  return ids;
};

describe('charges(filter: { search })', () => {
  test('finds by the customer’s e-mail address', async () => {
    expect(await find({ search: ' Ada@Example.com ' })).toEqual([ada.id]);
    expect(await find({ search: 'ada@example' })).toEqual([]);
  });

  test('finds by the id of an order', async () => {
    expect(await find({ search: 'Order-2' })).toEqual([bob.id]);
    expect(await find({ search: 'order-2' })).toEqual([]);
    expect(await find({ search: `Old-${volume}` })).toEqual(['ch_01aaaaaa00000000']);
  });

  test('finds by the nonce, as it is or as a bank wrote it', async () => {
    expect(await find({ search: ada.paymentReference })).toEqual([ada.id]);
    expect(
      await find({
        search: `pmt ref: ${ada.paymentReference.toLowerCase().slice(0, 5)}-${ada.paymentReference.slice(5)} thx`,
      }),
    ).toEqual([ada.id]);
  });

  test('finds by the id', async () => {
    expect(await find({ search: bob.id })).toEqual([bob.id]);
  });

  test('goes with the other filters', async () => {
    expect(await find({ search: 'Order-1', statuses: 'pending', method: 'fps' })).toEqual([ada.id]);
    expect(await find({ search: 'Order-1', statuses: ['expired', 'completed'] })).toEqual([]);
    expect(await find({ search: 'Order-1', customerEmail: 'bob@example.com' })).toEqual([]);
  });

  test('of nothing leaves all', async () => {
    const { data } = await ask({ search: ' ', statuses: 'pending' });
    expect(data.charges.totalCount).toBe(2);
  });

  test('refuses a novel', async () => {
    const { errors } = await ask({ search: 'x'.repeat(501) });
    expect(errors[0].extensions).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/filter/search' }],
    });
  });
});

describe('charges(filter: { merchantAmount })', () => {
  const range = (min?: string, max?: string, currency = 'HKD') => ({
    merchantAmount: { currency, min, max },
  });

  test('includes both ends', async () => {
    expect(await find(range('10', '20.50'))).toEqual([bob.id, ada.id]);
    expect(await find(range('10.01', '20.50'))).toEqual([bob.id]);
    expect(await find(range(undefined, '20.49'))).toEqual([ada.id]);
    expect(await find(range(`${(5_000 + volume) / 100}`))).toEqual(['ch_01aaaaaa00000000']);
    expect(await find(range('10', '20.50', 'SGD'))).toEqual([]);
  });

  test.each([
    ['1.001', 'HKD', 'invalid_request'],
    ['-1', 'HKD', 'invalid_request'],
    ['1', 'XXX', 'currency_unsupported'],
  ])('refuses %s %s', async (min, currency, code) => {
    expect((await ask(range(min, undefined, currency))).errors[0].extensions.code).toBe(code);
  });
});

test('an export takes the same filter', async () => {
  const chargeFilter = { search: 'Order-1', merchantAmount: { currency: 'HKD', min: '1', max: '10' } };
  const { data } = await app.ask(
    'mutation ($input: CreateExportInput!) { createExport(input: $input) { __typename ... on UserError { message } } }',
    { variables: { input: { kind: 'charges', chargeFilter } } },
  );
  expect(data.createExport).toEqual({ __typename: 'CreateExportSuccess' });
});

/** How many blocks of data PostgreSQL reads to answer a statement. */
async function blocksRead({ text, values }: SentStatement): Promise<number> {
  const { rows } = await app.context.service.pool.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

describe('among many charges', () => {
  const rows = async (text: string, variables = {}) => {
    const { result, sent } = await recordStatements(() => app.ask(text, { variables }));
    expect(result.errors).toBeUndefined();
    const statement = sent.find(
      (one) => /FROM (?:"public"."charge"|charge )/.test(one.text) && /LIMIT/.test(one.text),
    );
    return { data: result.data, blocks: await blocksRead(statement!) };
  };

  test.each([
    ['an e-mail address', () => ({ search: 'ada@example.com' })],
    ['an order id', () => ({ search: 'Old-12345' })],
    ['a nonce', () => ({ search: ada.paymentReference })],
    ['an amount', () => ({ merchantAmount: { currency: 'HKD', min: '10', max: '20.50' } })],
  ])('%s is found through an index', async (_what, filter) => {
    const { blocks } = await rows(query.replace('totalCount ', ''), { filter: filter() });
    expect(blocks).toBeLessThan(100);
  });

  test('a page deep in the list costs what the first does, either way', async () => {
    const page = (args: string) =>
      rows(`{ charges(${args}) { nodes { id } pageInfo { startCursor endCursor } } }`);
    const cursor = Buffer.from(`GPC:S:ch_01aaaaaa${String(volume / 10).padStart(8, '0')}`).toString('base64');
    const first = await page('first: 50');
    const last = await page('last: 50');
    for (const args of [`first: 50, after: "${cursor}"`, `last: 50, before: "${cursor}"`]) {
      const { data, blocks } = await page(args);
      expect(data.charges.nodes).toHaveLength(50);
      expect(blocks).toBeLessThan(1.5 * Math.max(first.blocks, last.blocks) + 5);
    }
    expect(first.blocks).toBeLessThan(100);
  });
});
