import { describe, expect } from 'vitest';
import type { Charge } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { type GraphqlApp, type Json, readAllPages } from '../setup/graphql.ts';
import { minutesAfter, noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { recordStatements, type SentStatement } from '../setup/sent-statements.ts';
import { payCharge } from '../setup/transfers.ts';

const volume = 20_000;

const searchTest = graphqlTest.extend('searched', { scope: 'file' }, async ({ app, service }) => {
  const merchant = await seedMerchant(service);
  const create = (email: string, merchantAmount: number, id: string, minute: number) =>
    seedCharge(service, merchant, {
      input: { email, merchantAmount, orders: [{ name: 'Tea' }, { id, quantity: 2 }] },
      now: minutesAfter(noon, minute),
    });
  const ada = await create('ada@example.com', 10, 'Order-1', 1);
  const bob = await create('bob@example.com', 20.5, 'Order-2', 2);
  await seedCharge(service, app.otherMerchant, {
    input: { email: 'ada@example.com', orders: [{ id: 'Order-1' }] },
  });
  // Adds many older charges with other customers, orders and amounts.
  await service.prisma.$executeRaw`
    INSERT INTO charge SELECT copy.* FROM charge model, generate_series(1, ${volume}) AS i,
      LATERAL jsonb_populate_record(model, jsonb_build_object(
        'id', 'ch_01aaaaaa' || lpad((${volume} - i)::text, 8, '0'), 'status', 'expired', 'merchant_amount', 5000 + i,
        'payment_reference', 'NONE' || i, 'orders', jsonb_build_array(jsonb_build_object('id', 'Old-' || i)))) AS copy
    WHERE model.id = ${bob.id}`;
  await service.prisma.$executeRaw`ANALYZE charge`;
  return { merchant, ada, bob };
});

type Searched = { merchant: NewMerchant; ada: Charge; bob: Charge };

const query =
  'query ($filter: ChargeFilter) { charges(first: 50, filter: $filter) { totalCount nodes { id } } }';

const listCharges = (app: GraphqlApp, searched: Searched, filter: object) =>
  app.ask(query, { variables: { filter }, as: searched.merchant.keys.live });

const find = async (app: GraphqlApp, searched: Searched, filter: object) => {
  const { data, errors } = await listCharges(app, searched, filter);
  expect(errors).toBeUndefined();
  const ids: string[] = data.charges.nodes.map(({ id }: Json) => id);
  expect(data.charges.totalCount).toBe(ids.length);
  return ids;
};

/** Counts the blocks that PostgreSQL reads for a statement. */
async function countBlocksRead(app: GraphqlApp, { text, values }: SentStatement): Promise<number> {
  const { rows } = await app.context.service.pool.query(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    values,
  );
  const plan = rows[0]['QUERY PLAN'][0].Plan;
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

const start = new Date('2026-11-01T00:00:00Z');

const seedChargeAt = (service: Service, merchant: NewMerchant, minute: number) =>
  seedCharge(service, merchant, {
    input: { email: `page-${minute}@example.com` },
    now: minutesAfter(start, minute),
  });

type Page = { ids: string[]; pageInfo: Json };

type ChargeList = {
  merchant: NewMerchant;
  /** The IDs of the charges, newest first. */
  ids: string[];
  list: (args: string) => Promise<Page>;
};

/** A merchant with 23 charges. */
const pagingTest = graphqlTest.extend('charges', async ({ app, service }): Promise<ChargeList> => {
  const merchant = await seedMerchant(service);
  const ids: string[] = [];
  for (let i = 0; i < 23; i++) ids.unshift((await seedChargeAt(service, merchant, i)).id);
  return { merchant, ids, list: (args) => list(app, merchant, args) };
});

async function list(app: GraphqlApp, merchant: NewMerchant, args: string): Promise<Page> {
  const { data, errors } = await app.ask(
    `{ charges(${args}) { edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    { as: merchant.keys.live },
  );
  expect(errors).toBeUndefined();
  const { edges, nodes, pageInfo } = data.charges;
  const page: string[] = edges.map((edge: Json) => edge.node.id);
  expect(nodes.map((node: Json) => node.id)).toEqual(page);
  expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
    edges.at(0)?.cursor ?? null,
    edges.at(-1)?.cursor ?? null,
  ]);
  return { ids: page, pageInfo };
}

const after = (cursor: string | null) => (cursor ? `, after: "${cursor}"` : '');

const newerThan = (cursor: string | null) => (cursor ? `, before: "${cursor}"` : '');

const readForward = async ({ list }: ChargeList, cursor: string | null, args = 'first: 5') => {
  const page = await list(args + after(cursor));
  return { ids: page.ids, cursor: page.pageInfo.endCursor, hasMore: page.pageInfo.hasNextPage };
};

describe('charges(filter)', () => {
  const test = graphqlTest;

  const now = new Date();

  const seedChargeFor = (
    app: GraphqlApp,
    email: string,
    options: { mode?: 'live' | 'sandbox'; at?: Date; input?: object } = {},
  ) =>
    seedCharge(app.context.service, app.merchant, {
      ...(options.mode && { mode: options.mode }),
      input: { email, ...options.input },
      now: options.at ?? now,
    });

  const pay = (app: GraphqlApp, charge: Charge, minor?: bigint) =>
    payCharge(app.context.service, app.merchant, charge, { ...(minor !== undefined && { minor }), now });

  const list = async (app: GraphqlApp, filter: object) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { totalCount nodes { id } } }';
    const { data, errors } = await app.ask(query, { variables: { filter } });
    expect(errors).toBeUndefined();
    const ids = data.charges.nodes.map((node: Json) => node.id);
    expect(data.charges.totalCount).toBe(ids.length);
    return ids;
  };

  test('filters by one status or several; an empty list does not restrict', async ({ app }) => {
    const customerEmail = 'states@example.com';
    const open = await seedChargeFor(app, customerEmail, { input: { merchantAmount: 1 } });
    const paid = await seedChargeFor(app, customerEmail, { input: { merchantAmount: 2 } });
    await pay(app, paid, 200n);
    expect(await list(app, { customerEmail, statuses: 'pending' })).toEqual([open.id]);
    expect(await list(app, { customerEmail, statuses: ['completed', 'expired'] })).toEqual([paid.id]);
    expect((await list(app, { customerEmail, statuses: ['pending', 'completed'] })).sort()).toEqual(
      [open.id, paid.id].sort(),
    );
    expect((await list(app, { customerEmail, statuses: [] })).sort()).toEqual([open.id, paid.id].sort());
  });

  test('includes both ends of a time range, and the whole second of its end', async ({ app }) => {
    const customerEmail = 'times@example.com';
    const createdAt = new Date('2026-03-01T10:00:00.500Z');
    const charge = await seedChargeFor(app, customerEmail, { at: createdAt });
    const expected = [charge.id];
    expect(
      await list(app, {
        customerEmail,
        createdFrom: createdAt.toISOString(),
        createdTo: createdAt.toISOString(),
      }),
    ).toEqual(expected);
    expect(await list(app, { customerEmail, createdTo: '2026-03-01T10:00:00Z' })).toEqual(expected);
    expect(await list(app, { customerEmail, createdTo: '2026-03-01T10:00:00.499Z' })).toEqual([]);
    expect(await list(app, { customerEmail, createdFrom: '2026-03-01T10:00:00.501Z' })).toEqual([]);
    expect(await list(app, { customerEmail, createdFrom: '2026-03-01T18:00:00+08:00' })).toEqual(expected);
  });

  test('filters by method and currency', async ({ app }) => {
    const customerEmail = 'methods@example.com';
    const hongKong = await seedChargeFor(app, customerEmail);
    const bank = await seedChargeFor(app, customerEmail, { input: { method: 'hk-bank-transfer' } });
    const thai = await seedChargeFor(app, customerEmail, { input: { method: 'prompt-pay' } });
    expect(await list(app, { customerEmail, method: 'hk_bank_transfer' })).toEqual([bank.id]);
    expect(await list(app, { customerEmail, customerCurrency: 'THB' })).toEqual([thai.id]);
    expect((await list(app, { customerEmail, customerCurrency: 'HKD' })).sort()).toEqual(
      [hongKong.id, bank.id].sort(),
    );
  });

  test('filters by email in any case, and by phone only without an email', async ({ app }) => {
    const charge = await seedChargeFor(app, 'Case@Example.com');
    await app.context.service.prisma.charge.update({
      where: { id: charge.id },
      data: { phone: '+85251234567' },
    });
    expect(await list(app, { customerEmail: 'cASE@example.COM' })).toEqual([charge.id]);
    expect(await list(app, { customerEmail: 'case@example' })).toEqual([]);
    expect(await list(app, { customerPhone: '85251234567' })).toEqual([charge.id]);
    expect(await list(app, { customerPhone: '+85251234567' })).toEqual([charge.id]);
    expect(await list(app, { customerPhone: '51234567' })).toEqual([]);
    expect(await list(app, { customerPhone: '0', customerEmail: 'case@example.com' })).toEqual([charge.id]);
  });

  test.for([
    ['customerEmail', 'a\0b'],
    ['customerEmail', 'x'.repeat(255)],
    ['customerPhone', '\0'],
    ['startDate', '2026-02-30T00:00:00Z'],
    ['endDate', '2026-03-01'],
    ['status', 'paid'],
    ['method', 'cash'],
    ['customerCurrency', 'hkd'],
  ] as const)('rejects %s: %j', async ([name, value], { app }) => {
    const query = 'query ($filter: ChargeFilter) { charges(filter: $filter) { nodes { id } } }';
    const { errors } = await app.ask(query, { variables: { filter: { [name]: value } } });
    expect(errors[0].extensions).toMatchObject({ code: 'invalid_request', requestId: expect.any(String) });
  });

  test('lists only sandbox charges in the sandbox', async ({ app }) => {
    const charge = await seedChargeFor(app, 'sandbox@example.com', { mode: 'sandbox' });
    const query = '{ charges { nodes { id } } }';
    const { data } = await app.ask(query, { as: app.merchant.keys.sandbox });
    expect(data.charges.nodes).toEqual([{ id: charge.id }]);
  });
});

describe('Search', () => {
  describe('charges(filter: { search })', () => {
    searchTest('finds by the customer’s email address', async ({ app, searched }) => {
      expect(await find(app, searched, { search: ' Ada@Example.com ' })).toEqual([searched.ada.id]);
      expect(await find(app, searched, { search: 'ada@exam' })).toEqual([searched.ada.id]);
      expect(await find(app, searched, { search: 'da@example' })).toEqual([]);
    });

    searchTest(
      'finds by the id of an order, also with a number sign, and by the name of an item',
      async ({ app, searched }) => {
        expect(await find(app, searched, { search: 'Order-2' })).toEqual([searched.bob.id]);
        expect(await find(app, searched, { search: '#order-2' })).toEqual([searched.bob.id]);
        expect(await find(app, searched, { search: 'tea' })).toEqual([searched.bob.id, searched.ada.id]);
        expect(await find(app, searched, { search: `Old-${volume}` })).toEqual(['ch_01aaaaaa00000000']);
      },
    );

    searchTest('finds by the payment reference, exact or as a bank wrote it', async ({ app, searched }) => {
      expect(await find(app, searched, { search: searched.ada.paymentReference })).toEqual([searched.ada.id]);
      expect(
        await find(app, searched, {
          search: `pmt ref: ${searched.ada.paymentReference.toLowerCase().slice(0, 5)}-${searched.ada.paymentReference.slice(5)} thx`,
        }),
      ).toEqual([searched.ada.id]);
    });

    searchTest('finds by the id', async ({ app, searched }) => {
      expect(await find(app, searched, { search: searched.bob.id })).toEqual([searched.bob.id]);
    });

    searchTest('combines with the other filters', async ({ app, searched }) => {
      expect(await find(app, searched, { search: 'Order-1', statuses: 'pending', method: 'fps' })).toEqual([
        searched.ada.id,
      ]);
      expect(await find(app, searched, { search: 'Order-1', statuses: ['expired', 'completed'] })).toEqual(
        [],
      );
      expect(await find(app, searched, { search: 'Order-1', customerEmail: 'bob@example.com' })).toEqual([]);
    });

    searchTest('does not restrict when it is blank', async ({ app, searched }) => {
      const { data } = await listCharges(app, searched, { search: ' ', statuses: 'pending' });
      expect(data.charges.totalCount).toBe(2);
    });

    searchTest('rejects more than 500 characters', async ({ app, searched }) => {
      const { errors } = await listCharges(app, searched, { search: 'x'.repeat(501) });
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

    searchTest('includes both ends', async ({ app, searched }) => {
      expect(await find(app, searched, range('10', '20.50'))).toEqual([searched.bob.id, searched.ada.id]);
      expect(await find(app, searched, range('10.01', '20.50'))).toEqual([searched.bob.id]);
      expect(await find(app, searched, range(undefined, '20.49'))).toEqual([searched.ada.id]);
      expect(await find(app, searched, range(`${(5_000 + volume) / 100}`))).toEqual(['ch_01aaaaaa00000000']);
      expect(await find(app, searched, range('10', '20.50', 'SGD'))).toEqual([]);
    });

    searchTest.for([
      ['1.001', 'HKD', 'invalid_request'],
      ['-1', 'HKD', 'invalid_request'],
      ['1', 'XXX', 'currency_unsupported'],
    ] as const)('rejects %s %s with %s', async ([min, currency, code], { app, searched }) => {
      expect(
        (await listCharges(app, searched, range(min, undefined, currency))).errors[0].extensions.code,
      ).toBe(code);
    });
  });

  searchTest('the filter by receiving account returns only its charges', async ({ app, searched }) => {
    const { receivingAccountId } = searched.ada;
    expect(await find(app, searched, { receivingAccountId, search: 'ada@example.com' })).toEqual([
      searched.ada.id,
    ]);
    expect(await find(app, searched, { receivingAccountId: 'acc_other', search: 'ada@example.com' })).toEqual(
      [],
    );
  });

  searchTest('an export accepts the same filter', async ({ app }) => {
    const chargeFilter = { search: 'Order-1', merchantAmount: { currency: 'HKD', min: '1', max: '10' } };
    const { data } = await app.ask(
      'mutation ($input: CreateExportInput!) { createExport(input: $input) { __typename ... on UserError { message } } }',
      { variables: { input: { kind: 'charges', chargeFilter } } },
    );
    expect(data.createExport).toEqual({ __typename: 'CreateExportSuccess' });
  });

  describe('among many charges', () => {
    const rows = async (app: GraphqlApp, searched: Searched, text: string, variables = {}) => {
      const { result, sent } = await recordStatements(() =>
        app.ask(text, { variables, as: searched.merchant.keys.live }),
      );
      expect(result.errors).toBeUndefined();
      const statement = sent.find(
        (statement) =>
          /FROM (?:"public"."charge"|charge )/.test(statement.text) && /LIMIT/.test(statement.text),
      );
      return { data: result.data, blocks: await countBlocksRead(app, statement!) };
    };

    searchTest.for([
      ['an email address', () => ({ search: 'ada@example.com' })],
      ['an order id', () => ({ search: 'Old-12345' })],
      ['a payment reference', ({ ada }: Searched) => ({ search: ada.paymentReference })],
      ['an amount', () => ({ merchantAmount: { currency: 'HKD', min: '10', max: '20.50' } })],
      ['a receiving account', ({ ada }: Searched) => ({ receivingAccountId: ada.receivingAccountId })],
    ] as const)('%s is found through an index', async ([_what, filter], { app, searched }) => {
      const { blocks } = await rows(app, searched, query.replace('totalCount ', ''), {
        filter: filter(searched),
      });
      expect(blocks).toBeLessThan(100);
    });

    searchTest(
      'a page deep in the list costs as much as the first, in both directions',
      async ({ app, searched }) => {
        const page = (args: string) =>
          rows(app, searched, `{ charges(${args}) { nodes { id } pageInfo { startCursor endCursor } } }`);
        const cursor = Buffer.from(`GPC:S:ch_01aaaaaa${String(volume / 10).padStart(8, '0')}`).toString(
          'base64',
        );
        const first = await page('first: 50');
        const last = await page('last: 50');
        for (const args of [`first: 50, after: "${cursor}"`, `last: 50, before: "${cursor}"`]) {
          const { data, blocks } = await page(args);
          expect(data.charges.nodes).toHaveLength(50);
          expect(blocks).toBeLessThan(1.5 * Math.max(first.blocks, last.blocks) + 5);
        }
        expect(first.blocks).toBeLessThan(100);
      },
    );
  });
});

describe('Pagination', () => {
  describe('charges', () => {
    pagingTest('page forward through the list, newest first', async ({ charges }) => {
      expect(await readAllPages((cursor) => readForward(charges, cursor))).toEqual(charges.ids);
    });

    pagingTest('page backward through the list, each page still newest first', async ({ charges }) => {
      const pages: string[][] = [];
      await readAllPages(async (cursor) => {
        const { ids: page, pageInfo } = await charges.list(`last: 5${newerThan(cursor)}`);
        pages.unshift(page);
        return { ids: page, cursor: pageInfo.startCursor, hasMore: pageInfo.hasPreviousPage };
      });
      expect(pages.flat()).toEqual(charges.ids);
    });

    pagingTest.for(['charges', 'customers'])(
      'page through a reversed list of %s in both directions without gaps',
      async (field, { app, charges }) => {
        const read = async (args: string) => {
          const { data } = await app.ask(
            `{ ${field}(reverse: true, ${args}) { nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
            { as: charges.merchant.keys.live },
          );
          return { ids: data[field].nodes.map(({ id }: Json) => id), pageInfo: data[field].pageInfo };
        };
        const forward = await readAllPages(async (cursor) => {
          const { ids, pageInfo } = await read(`first: 5${after(cursor)}`);
          return { ids, cursor: pageInfo.endCursor, hasMore: pageInfo.hasNextPage };
        });
        const pages: string[][] = [];
        await readAllPages(async (cursor) => {
          const { ids, pageInfo } = await read(`last: 5${newerThan(cursor)}`);
          pages.unshift(ids);
          return { ids, cursor: pageInfo.startCursor, hasMore: pageInfo.hasPreviousPage };
        });
        expect(forward).toHaveLength(charges.ids.length);
        expect(forward).toEqual(forward.toSorted());
        expect(pages.flat()).toEqual(forward);
        if (field === 'charges') expect(forward).toEqual(charges.ids.toReversed());
      },
    );

    pagingTest(
      'neither repeat nor omit one when others are created between pages',
      async ({ service, charges }) => {
        let minute = 100;
        const readIds = await readAllPages(
          (cursor) => readForward(charges, cursor),
          () => seedChargeAt(service, charges.merchant, minute++),
        );
        expect(readIds).toEqual(charges.ids);
        const newer = (await charges.list('first: 50')).ids.slice(0, minute - 100);
        expect(readIds).not.toEqual(expect.arrayContaining(newer));
      },
    );

    pagingTest(
      'neither repeat nor omit one backward when others are created between pages',
      async ({ service, charges }) => {
        let minute = 200;
        const created: string[] = [];
        const pages: string[][] = [];
        await readAllPages(
          async (cursor) => {
            const { ids: page, pageInfo } = await charges.list(`last: 5${newerThan(cursor)}`);
            pages.unshift(page);
            return { ids: page, cursor: pageInfo.startCursor, hasMore: pageInfo.hasPreviousPage };
          },
          async () => {
            created.unshift((await seedChargeAt(service, charges.merchant, minute++)).id);
          },
        );
        // The last page backward includes the charges just created.
        expect(pages.flat()).toEqual([...created, ...charges.ids]);
      },
    );

    pagingTest(
      'neither repeat nor omit one when charges of a page stop matching the filter',
      async ({ service, charges }) => {
        const args = 'first: 5, filter: { statuses: pending }';
        const owner = { merchantId: charges.merchant.merchant.id, mode: 'live' as const };
        let pageIds: string[] = [];
        const all = await readAllPages(
          async (cursor) => {
            const page = await readForward(charges, cursor, args);
            pageIds = page.ids;
            return page;
          },
          async () => {
            // The charge of the cursor is included.
            const ended = {
              ...owner,
              id: pageIds.at(-1)!,
              by: 'merchant' as const,
              actor: 'key:test',
              now: start,
            };
            await cancelCharge(service, ended);
          },
        );
        expect(all).toEqual(charges.ids);
      },
    );

    pagingTest('have a total count and state whether there are more', async ({ app, charges }) => {
      const { data } = await app.ask(
        '{ charges(first: 0) { totalCount nodes { id } pageInfo { hasNextPage } } }',
        { as: charges.merchant.keys.live },
      );
      expect(data.charges).toEqual({
        totalCount: charges.ids.length,
        nodes: [],
        pageInfo: { hasNextPage: true },
      });
      const { pageInfo } = await charges.list('first: 50');
      expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
    });

    pagingTest('come in pages of ten by default', async ({ charges }) => {
      expect((await charges.list('filter: {}')).ids).toEqual(charges.ids.slice(0, 10));
    });

    pagingTest.for([
      ['first: 51', '/first must be at most 50'],
      ['last: 51', '/last must be at most 50'],
      ['first: -1', 'non-negative'],
      ['after: "nonsense"', 'Invalid cursor'],
      // This is a cursor of the list of sessions.
      [
        `after: "${Buffer.from('GPC:S:ses_01m7xqwctb4wh8f52f4yx8qahg').toString('base64')}"`,
        'must be a cursor',
      ],
      [`before: "${Buffer.from('GPC:N:5').toString('base64')}"`, 'must be a cursor'],
      ['first: 1, before: "x"', 'not supported at the same time'],
      ['first: 1, last: 1', '/last must not be given together with first'],
    ] as const)('reject %s', async ([args, message], { app }) => {
      const { errors } = await app.ask(`{ charges(${args}) { nodes { id } } }`);
      expect(errors[0]).toMatchObject({
        message: expect.stringContaining(message),
        extensions: { code: 'invalid_request' },
      });
    });
  });

  describe('events(after)', () => {
    const readEvents = async (app: GraphqlApp, merchant: NewMerchant, args: string) => {
      const { data, errors } = await app.ask(
        `{ events(${args}) { totalCount edges { cursor node { sequence } } nodes { type objectId objectVersion payloadJson actor { kind objectId } createdAt notifications { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
        { as: merchant.keys.live },
      );
      expect(errors).toBeUndefined();
      return data.events;
    };

    pagingTest(
      'come in the order of their numbers, which have no gaps',
      async ({ app, service, charges: { merchant } }) => {
        await relayEvents(service, { now: new Date() });
        const { totalCount } = await readEvents(app, merchant, 'first: 1');
        const numbers = await readAllPages(async (cursor) => {
          const { edges, pageInfo } = await readEvents(app, merchant, `first: 7${after(cursor)}`);
          for (const { cursor, node } of edges) expect(cursor).toBe(node.sequence);
          return {
            ids: edges.map((edge: Json) => edge.cursor),
            cursor: pageInfo.endCursor,
            hasMore: pageInfo.hasNextPage,
          };
        });
        expect(numbers).toEqual(Array.from({ length: totalCount }, (_, i) => String(i + 1)));
      },
    );

    pagingTest(
      'have the type, the payload of notifications and the actor',
      async ({ app, service, charges: { merchant, ids } }) => {
        await relayEvents(service, { now: new Date() });
        const { nodes, pageInfo } = await readEvents(app, merchant, 'first: 1');
        expect(nodes).toEqual([
          {
            type: 'charge_created',
            objectId: ids.at(-1),
            objectVersion: 1,
            payloadJson: expect.stringContaining(`{"chargeId":"${ids.at(-1)}"`),
            actor: { kind: 'api_key', objectId: 'test' },
            createdAt: start.toISOString(),
            notifications: [],
          },
        ]);
        expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      },
    );

    pagingTest(
      'after the last number are those that happened since',
      async ({ app, service, charges: { merchant } }) => {
        await relayEvents(service, { now: new Date() });
        const { totalCount } = await readEvents(app, merchant, 'first: 0');
        expect((await readEvents(app, merchant, `after: "${totalCount}"`)).edges).toEqual([]);
        const charge = await seedChargeAt(service, merchant, 500);
        await relayEvents(service, { now: new Date() });
        const { nodes } = await readEvents(app, merchant, `after: "${totalCount}"`);
        expect(nodes.map((node: Json) => node.objectId)).toEqual([charge.id]);
      },
    );

    pagingTest.for(['after: "x"', 'after: "-1"', 'first: 51', 'first: -1'])(
      'reject %s',
      async (args, { app }) => {
        const { errors } = await app.ask(`{ events(${args}) { nodes { id } } }`);
        expect(errors[0].extensions.code).toBe('invalid_request');
      },
    );
  });
});
