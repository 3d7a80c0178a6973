import { beforeAll, describe, expect, test } from 'vitest';
import {
  createCancelToken,
  createClientToken,
  createPageToken,
  type PageKind,
} from '../../src/domain/payments/checkout/page-tokens.ts';
import type { IdNoun } from '../../src/kit/id.ts';
import { newId } from '../../src/kit/id.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import type { GraphqlApp } from '../setup/graphql.ts';
import { noon, seedCharge } from '../setup/seed.ts';
import { seedEveryType } from '../setup/seed-every-type.ts';

const onCleanup = cleanupAfterFile();

/**
 * Finding 11: an unknown id and a wrong token get the same answer on every page, so that nobody learns what exists. Only
 * a token that was valid once is told that its link has ended.
 */

let app: GraphqlApp & { routes: Route[] };
let pages: Record<PageKind, { id: string; linkVersion: number }>;

const nouns: Record<PageKind, IdNoun> = {
  enrol: 'subscriptionLink',
  invoice: 'invoice',
  refund: 'refund',
  subscription: 'subscription',
};
const kinds = Object.keys(nouns) as PageKind[];
const kindOf = ({ url }: Route) => url.split('/')[2] as PageKind;

beforeAll(async () => {
  app = await setupFullApp(onCleanup, { clock: createFakeClock(noon) });
  const ids = await seedEveryType(app);
  const { prisma } = app.context.service;
  pages = {
    enrol: await prisma.subscriptionLink.findFirstOrThrow(),
    invoice: await prisma.invoice.findUniqueOrThrow({ where: { id: ids.invoice! } }),
    refund: await prisma.refund.findUniqueOrThrow({ where: { id: ids.refund! } }),
    subscription: await prisma.subscription.findUniqueOrThrow({ where: { id: ids.subscription! } }),
  };
}, 120_000);

async function ask({ method, url }: Pick<Route, 'method' | 'url'>, token: string) {
  const post = method === 'POST' && {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    payload: 'do=cancel&method=fps&email=ada@example.com&List-Unsubscribe=One-Click',
  };
  const { statusCode, body, headers } = await app.app.inject({
    method: method as 'GET' | 'POST',
    url: url.replace(':token', token),
    ...post,
  });
  const { 'content-length': _, date: __, ...rest } = headers;
  // The address of the page itself stands in its links to the other languages.
  return { statusCode, headers: rest, body: body.replaceAll(token, '<token>') };
}

const pageRoutes = () => app.routes.filter(({ url }) => url.includes(':token'));
const inLive = (id: string) => ({ id, mode: 'live' }) as const;
const sign = (kind: PageKind, id: string, linkVersion = 0) =>
  createPageToken(app.context.service.secrets, kind, { id, mode: 'live', linkVersion });

describe('the pages whose address ends with a token', () => {
  test('are those that this file asks', () => {
    expect([...new Set(pageRoutes().map(kindOf))].sort()).toEqual([...kinds].sort());
  });

  test('answer an existing and an unknown id alike, however wrong the token is', async () => {
    for (const route of pageRoutes()) {
      const kind = kindOf(route);
      const { id } = pages[kind];
      const unknown = newId(nouns[kind], noon);
      const [, signature] = sign(kind, id).split('.');
      const other = kinds.find((one) => one !== kind)!;
      const expected = await ask(route, `${unknown}.${signature}`);
      expect([route, expected.statusCode]).toEqual([route, 404]);
      expect(expected.body).toContain('We can’t find this payment');
      for (const token of [
        `${id}.${signature?.slice(0, -2)}xx`,
        `${id}.${signature}.x`,
        `${id}.x`,
        `${id}.`,
        id,
        sign(other, id),
        sign(kind, id, 1),
        sign(kind, id, -1),
        sign(kind, unknown),
        sign(other, unknown),
        unknown,
      ])
        expect(await ask(route, token)).toEqual(expected);
    }
  });

  test('say that a link has ended to those alone who hold a token that was valid', async () => {
    const { prisma } = app.context.service;
    for (const [kind, table] of [
      ['enrol', prisma.subscriptionLink],
      ['invoice', prisma.invoice],
      ['refund', prisma.refund],
      ['subscription', prisma.subscription],
    ] as const) {
      const where = { id: pages[kind].id };
      await (table as typeof prisma.refund).update({ where, data: { linkVersion: 2 } });
    }
    for (const route of pageRoutes()) {
      const kind = kindOf(route);
      const { id } = pages[kind];
      for (const generation of [0, 1])
        expect((await ask(route, sign(kind, id, generation))).statusCode).toBe(410);
      const expected = await ask(route, `${newId(nouns[kind], noon)}.x`);
      expect(await ask(route, `${id}.x`)).toEqual(expected);
      expect(await ask(route, sign(kind, id, 3))).toEqual(expected);
    }
  });
});

test('the checkout of a charge answers an existing and an unknown id alike to a wrong token', async () => {
  const { secrets } = app.context.service;
  const { id } = await seedCharge(app.context.service, app.merchant);
  const unknown = newId('charge', noon);
  for (const path of ['/checkout', '/checkout/live', '/checkout/qr.png']) {
    const route = { method: 'GET', url: `${path}?charge=:token` };
    const expected = await ask(route, `${unknown}.x`);
    expect(expected.statusCode).toBe(404);
    for (const token of [
      `${id}.x`,
      id,
      createClientToken(secrets, inLive(unknown)),
      `${id}.${createCancelToken(secrets, inLive(id))}`,
    ])
      expect(await ask(route, token)).toEqual(expected);
  }
});

test('client tokens and cancel tokens answer an existing and an unknown id alike', async () => {
  const { secrets } = app.context.service;
  const { id } = await seedCharge(app.context.service, app.merchant);
  const unknown = newId('charge', noon);
  const send = async (of: string, options: object) => {
    const { statusCode, body } = await app.app.inject(options);
    return [statusCode, body.replaceAll(of, '<id>').replace(/req_[\w-]+/, 'req_')];
  };
  const read = (of: string, token: string) =>
    send(of, {
      method: 'POST',
      url: '/graphql',
      headers: { authorization: `Bearer ${of}.${token}`, 'content-type': 'application/json' },
      payload: JSON.stringify({ query: '{ node(id: "x") { id } }' }),
    });
  const cancel = (of: string, token: string) =>
    send(of, { method: 'PATCH', url: `/charges/${of}/cancel?cancelToken=${token}` });
  for (const token of [
    'x',
    createCancelToken(secrets, inLive(id)),
    createClientToken(secrets, inLive(unknown)).split('.')[1]!,
  ]) {
    expect(await read(id, token)).toEqual(await read(unknown, token));
    expect((await read(id, token))[0]).toBe(401);
  }
  for (const token of [
    'x',
    createClientToken(secrets, inLive(id)),
    createCancelToken(secrets, inLive(newId('charge', noon))),
  ]) {
    expect(await cancel(id, token)).toEqual(await cancel(unknown, token));
    expect((await cancel(id, token))[0]).toBe(401);
  }
});
