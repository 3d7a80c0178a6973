import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { introspectionFromSchema } from 'graphql';
import type { Sink } from 'graphql-ws';
import { beforeAll, expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  type Json,
  setupGraphqlApp,
  toAuthorization,
} from '../setup/graphql.ts';
import { minutesAfter, seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** What merchants' pages are written with: clients that keep each object once, under its id. */

let app: GraphqlApp;
/** Newest first. */
const ids: string[] = [];
const start = new Date('2026-11-01T00:00:00Z');

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  for (let i = 0; i < 12; i++) {
    const input = { email: `client-${i}@example.com`, orders: [{ id: 'sku', name: `Tea ${i}` }] };
    ids.unshift(
      (await seedCharge(app.context.service, app.merchant, { input, now: minutesAfter(start, i) })).id,
    );
  }
});

const list = gql`query Charges($after: String) {
  charges(first: 5, after: $after) {
    edges { cursor node { id status orders { orderId name } customer { id email } } }
    pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
  }
}`;
const follow = gql`subscription Follow($id: ID!) { chargeUpdated(id: $id) { id status } }`;

/** Orders carry the merchant’s own ids, under which a cache must not keep them. */
const unkeyed = { Order: () => null };

const cancel = (id: string) =>
  cancelCharge(app.context.service, {
    merchantId: app.merchant.merchant.id,
    mode: 'live',
    id,
    by: 'merchant',
    actor: 'key:test',
    now: start,
  });

/** Of the whole list as the client's cache has it. */
const read = (data: Json): Json => ({
  ids: data.charges.edges.map(({ node }: Json) => node.id),
  orders: data.charges.edges.map(({ node }: Json) => node.orders[0].name),
  statuses: new Map(data.charges.edges.map(({ node }: Json) => [node.id, node.status])),
});
const teas = Array.from({ length: 12 }, (_, i) => `Tea ${11 - i}`);

test('urql reads a connection page by page, and follows a charge of it', async () => {
  const headers = toAuthorization(app.merchant.keys.live) as Record<string, string>;
  const socket = createWebSocketClient(onCleanup, app.url, headers);
  const client = new Client({
    url: `${app.url}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers },
    exchanges: [
      cacheExchange({
        schema: introspectionFromSchema(schema),
        keys: unkeyed,
        resolvers: { Query: { charges: relayPagination() } },
      }),
      fetchExchange,
      subscriptionExchange({
        forwardSubscription: ({ query = '', variables }) => ({
          subscribe: (sink) => ({
            unsubscribe: socket.subscribe(
              { query, variables: variables as Record<string, unknown> },
              sink as Sink,
            ),
          }),
        }),
      }),
    ],
  });
  let after: string | null = null;
  for (;;) {
    const { data, error }: Json = await client.query(list, { after }).toPromise();
    expect(error).toBeUndefined();
    if (!data.charges.pageInfo.hasNextPage) break;
    after = data.charges.pageInfo.endCursor;
  }
  let shown: Json;
  const { unsubscribe } = client.query(list, {}).subscribe(({ data }) => {
    shown = read(data);
  });
  await expect.poll(() => shown).toMatchObject({ ids, orders: teas });
  const followed = ids[7] as string;
  const seen: string[] = [];
  const stream = client.subscription(follow, { id: followed }).subscribe(({ data, error }: Json) => {
    seen.push(error ? String(error) : data.chargeUpdated.status);
  });
  await expect.poll(() => seen).toEqual(['pending']);
  await cancel(followed);
  await expect.poll(() => seen).toEqual(['pending', 'cancelled']);
  await expect.poll(() => shown.statuses.get(followed)).toBe('cancelled');
  expect(shown.ids).toEqual(ids);
  stream.unsubscribe();
  unsubscribe();
});

test('Apollo Client reads a connection page by page, and follows a charge of it', async () => {
  const headers = toAuthorization(app.merchant.keys.live) as Record<string, string>;
  const live = new GraphQLWsLink(createWebSocketClient(onCleanup, app.url, headers));
  const client = new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      live,
      new HttpLink({ uri: `${app.url}/graphql`, headers }),
    ),
    cache: new InMemoryCache({
      typePolicies: {
        Query: { fields: { charges: relayStylePagination() } },
        Order: { keyFields: false },
      },
    }),
  });
  const query = client.watchQuery<Json>({ query: list, fetchPolicy: 'cache-first' });
  let shown: Json;
  const subscription = query.subscribe(({ data, dataState }) => {
    if (dataState === 'complete') shown = data;
  });
  await expect.poll(() => shown?.charges.edges.length).toBe(5);
  while (shown.charges.pageInfo.hasNextPage) {
    const before = shown.charges.edges.length;
    await query.fetchMore({ variables: { after: shown.charges.pageInfo.endCursor } });
    await expect.poll(() => shown.charges.edges.length).toBeGreaterThan(before);
  }
  expect(read(shown)).toMatchObject({ ids, orders: teas });
  const followed = ids[3] as string;
  const seen: string[] = [];
  const stream = client
    .subscribe<Json>({ query: follow, variables: { id: followed } })
    .subscribe(({ data }) => {
      seen.push(data.chargeUpdated.status);
    });
  await expect.poll(() => seen).toEqual(['pending']);
  await cancel(followed);
  await expect.poll(() => seen).toEqual(['pending', 'cancelled']);
  await expect.poll(() => read(shown).statuses.get(followed)).toBe('cancelled');
  expect(read(shown).ids).toEqual(ids);
  stream.unsubscribe();
  subscription.unsubscribe();
  client.stop();
});
