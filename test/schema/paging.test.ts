import { beforeAll, describe, expect, test } from 'vitest';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { relayEvents } from '../../src/event/relay-events.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { type GraphqlApp, type Json, readAllPages, setupGraphqlApp } from '../setup/graphql.ts';
import { minutesAfter, seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: GraphqlApp;
/** Newest first. */
let ids: string[];
const start = new Date('2026-11-01T00:00:00Z');

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  ids = [];
  for (let i = 0; i < 23; i++) ids.unshift((await chargeAt(i)).id);
});

const chargeAt = (minute: number) =>
  seedCharge(app.context.service, app.merchant, {
    input: { email: `page-${minute}@example.com` },
    now: minutesAfter(start, minute),
  });

const list = async (args: string) => {
  const { data, errors } = await app.ask(
    `{ charges(${args}) { edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
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
};

const after = (cursor: string | null) => (cursor ? `, after: "${cursor}"` : '');
const newerThan = (cursor: string | null) => (cursor ? `, before: "${cursor}"` : '');

const forward = async (cursor: string | null, args = 'first: 5') => {
  const page = await list(args + after(cursor));
  return { ids: page.ids, cursor: page.pageInfo.endCursor, hasMore: page.pageInfo.hasNextPage };
};

describe('charges', () => {
  test('page forward through the list, newest first', async () => {
    expect(await readAllPages(forward)).toEqual(ids);
  });

  test('page backward through the list, each page still newest first', async () => {
    const pages: string[][] = [];
    await readAllPages(async (cursor) => {
      const { ids: page, pageInfo } = await list(`last: 5${newerThan(cursor)}`);
      pages.unshift(page);
      return { ids: page, cursor: pageInfo.startCursor, hasMore: pageInfo.hasPreviousPage };
    });
    expect(pages.flat()).toEqual(ids);
  });

  test('neither repeat nor miss one when new ones are made meanwhile', async () => {
    let minute = 100;
    const seen = await readAllPages(forward, () => chargeAt(minute++));
    expect(seen).toEqual(ids);
    const newer = (await list('first: 50')).ids.slice(0, minute - 100);
    expect(seen).not.toEqual(expect.arrayContaining(newer));
    ids.unshift(...newer);
  });

  test('neither repeat nor miss one when new ones are made meanwhile, also backward', async () => {
    let minute = 200;
    const made: string[] = [];
    const pages: string[][] = [];
    await readAllPages(
      async (cursor) => {
        const { ids: page, pageInfo } = await list(`last: 5${newerThan(cursor)}`);
        pages.unshift(page);
        return { ids: page, cursor: pageInfo.startCursor, hasMore: pageInfo.hasPreviousPage };
      },
      async () => {
        made.unshift((await chargeAt(minute++)).id);
      },
    );
    // Backward leads to the newest, those that were just made included.
    ids.unshift(...made);
    expect(pages.flat()).toEqual(ids);
  });

  test('neither repeat nor miss one when those of a page stop fitting the filter meanwhile', async () => {
    const args = 'first: 5, filter: { statuses: pending }';
    const owner = { merchantId: app.merchant.merchant.id, mode: 'live' as const };
    let seen: string[] = [];
    const all = await readAllPages(
      async (cursor) => {
        const page = await forward(cursor, args);
        seen = page.ids;
        return page;
      },
      async () => {
        // Also the very charge at which the cursor stands.
        const ended = { ...owner, id: seen.at(-1)!, by: 'merchant' as const, actor: 'key:test', now: start };
        await cancelCharge(app.context.service, ended);
      },
    );
    expect(all).toEqual(ids);
  });

  test('tell whether there is more, and how many there are in all', async () => {
    const { data } = await app.ask(
      '{ charges(first: 0) { totalCount nodes { id } pageInfo { hasNextPage } } }',
    );
    expect(data.charges).toEqual({ totalCount: ids.length, nodes: [], pageInfo: { hasNextPage: true } });
    const { pageInfo } = await list('first: 50');
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('come ten at a time when nobody says how many', async () => {
    expect((await list('filter: {}')).ids).toEqual(ids.slice(0, 10));
  });

  test.each([
    ['first: 51', '/first must be at most 50'],
    ['last: 51', '/last must be at most 50'],
    ['first: -1', 'non-negative'],
    ['after: "nonsense"', 'Invalid cursor'],
    // Of another list: a cursor for the id of a session.
    [
      `after: "${Buffer.from('GPC:S:ses_01m7xqwctb4wh8f52f4yx8qahg').toString('base64')}"`,
      'must be a cursor',
    ],
    [`before: "${Buffer.from('GPC:N:5').toString('base64')}"`, 'must be a cursor'],
    ['first: 1, before: "x"', 'not supported at the same time'],
    ['first: 1, last: 1', '/last must not be given together with first'],
  ])('refuse %s', async (args, message) => {
    const { errors } = await app.ask(`{ charges(${args}) { nodes { id } } }`);
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining(message),
      extensions: { code: 'invalid_request' },
    });
  });
});

describe('events(after)', () => {
  beforeAll(async () => {
    await relayEvents(app.context.service, { now: new Date() });
  });

  const events = async (args: string) => {
    const { data, errors } = await app.ask(
      `{ events(${args}) { totalCount edges { cursor node { sequence } } nodes { type objectId objectVersion payloadJson actor createdAt notifications { id } } pageInfo { hasNextPage hasPreviousPage endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    return data.events;
  };

  test('come in the order of their numbers, which have no gaps', async () => {
    const { totalCount } = await events('first: 1');
    const numbers = await readAllPages(async (cursor) => {
      const { edges, pageInfo } = await events(`first: 7${after(cursor)}`);
      for (const { cursor: own, node } of edges) expect(own).toBe(node.sequence);
      return {
        ids: edges.map((edge: Json) => edge.cursor),
        cursor: pageInfo.endCursor,
        hasMore: pageInfo.hasNextPage,
      };
    });
    expect(numbers).toEqual(Array.from({ length: totalCount }, (_, i) => String(i + 1)));
  });

  test('tell what happened, by whom, in the words of notifications', async () => {
    const { nodes, pageInfo } = await events('first: 1');
    expect(nodes).toEqual([
      {
        type: 'charge_created',
        objectId: ids.at(-1),
        objectVersion: 1,
        payloadJson: expect.stringContaining(`{"chargeId":"${ids.at(-1)}"`),
        actor: 'key:test',
        createdAt: start.toISOString(),
        notifications: [],
      },
    ]);
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  test('those made meanwhile are read by the last number', async () => {
    const { totalCount } = await events('first: 0');
    expect((await events(`after: "${totalCount}"`)).edges).toEqual([]);
    const charge = await chargeAt(500);
    await relayEvents(app.context.service, { now: new Date() });
    const { nodes } = await events(`after: "${totalCount}"`);
    expect(nodes.map((node: Json) => node.objectId)).toEqual([charge.id]);
  });

  test.each(['after: "x"', 'after: "-1"', 'first: 51', 'first: -1'])('refuse %s', async (args) => {
    const { errors } = await app.ask(`{ events(${args}) { nodes { id } } }`);
    expect(errors[0].extensions.code).toBe('invalid_request');
  });
});
