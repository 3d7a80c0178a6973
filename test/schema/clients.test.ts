import { readFileSync } from 'node:fs';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { introspectionFromSchema, Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { type ClientOptions, createClient, type Sink, type Client as SocketClient } from 'graphql-ws';
import { describe, expect, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { schema } from '../../schema/schema.ts';
import { limits } from '../../schema/server/limits.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { basicAuth } from '../setup/api.ts';
import { graphqlTest } from '../setup/app-fixtures.ts';
import { launchChromium } from '../setup/chromium.ts';
import {
  createWebSocketClient,
  type Json,
  setupGraphqlApp,
  subscribeOverWebSocket,
  toAuthorization,
} from '../setup/graphql.ts';
import { startReceiver } from '../setup/receiver.ts';
import { minutesAfter, seedCharge, seedMerchant } from '../setup/seed.ts';

const start = new Date('2026-11-01T00:00:00Z');

/** A merchant with twelve charges, newest first. */
const clientTest = graphqlTest.extend('listed', async ({ service }) => {
  const merchant = await seedMerchant(service);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) {
    const input = { email: `client-${i}@example.com`, orders: [{ id: 'sku', name: `Tea ${i}` }] };
    ids.unshift((await seedCharge(service, merchant, { input, now: minutesAfter(start, i) })).id);
  }
  return { merchant, ids };
});

const list = gql`query Charges($after: String) {
  charges(first: 5, after: $after) {
    edges { cursor node { id status orders { orderId name } customer { id email } } }
    pageInfo { hasNextPage endCursor hasPreviousPage startCursor }
  }
}`;

const follow = gql`subscription Follow($id: ID!) { chargeUpdated(id: $id) { id status } }`;

/** The IDs of orders are the merchant’s own, and no cache keys. */
const unkeyed = { Order: () => null };

const cancel = (service: Service, { merchantId, id }: { merchantId: string; id: string }) =>
  cancelCharge(service, {
    merchantId,
    mode: 'live',
    id,
    by: 'merchant',
    actor: 'key:test',
    now: start,
  });

/** The list as the cache of the client returns it. */
const read = (data: Json): Json => ({
  ids: data.charges.edges.map(({ node }: Json) => node.id),
  orders: data.charges.edges.map(({ node }: Json) => node.orders[0].name),
  statuses: new Map(data.charges.edges.map(({ node }: Json) => [node.id, node.status])),
});

const teas = Array.from({ length: 12 }, (_, i) => `Tea ${11 - i}`);

const guide = readFileSync(new URL('../../docs/reference/graphql.md', import.meta.url), 'utf8');

const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1] as string,
  );

const now = new Date();

const guideTest = graphqlTest
  .extend('charge', { scope: 'file' }, ({ app, service }) =>
    seedCharge(service, app.merchant, { input: { orders: [{ id: 'order-4711', name: 'Tea' }] }, now }),
  )
  .extend('browser', { scope: 'file' }, async ({ onFileCleanup }) => {
    const browser = await launchChromium();
    onFileCleanup(() => browser.close());
    return browser;
  });

/** The variables of the examples in docs/reference/graphql.md. */
const variables: Record<string, (charge: { id: string }) => object> = {
  OneCharge: ({ id }) => ({ id }),
  Charges: () => ({}),
  Search: () => ({}),
  CreateCharge: () => ({
    input: { email: 'ada@example.com', merchantAmount: '5', merchantCurrency: 'HKD', method: 'fps' },
  }),
  Follow: () => ({}),
};

const operations = blocks('graphql').map((text) => {
  const document = parse(text);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return { text, document, name: operation?.name?.value ?? '', kind: operation?.operation };
});

describe('Client libraries', () => {
  clientTest(
    'urql reads a connection page by page, and follows a charge of it',
    async ({ app, service, listed: { merchant, ids } }) => {
      const headers = toAuthorization(merchant.keys.live) as Record<string, string>;
      const socket = createWebSocketClient(onTestFinished, app.url, headers);
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
      const statuses: string[] = [];
      const stream = client.subscription(follow, { id: followed }).subscribe(({ data, error }: Json) => {
        statuses.push(error ? String(error) : data.chargeUpdated.status);
      });
      await expect.poll(() => statuses).toEqual(['pending']);
      await cancel(service, { merchantId: merchant.merchant.id, id: followed });
      await expect.poll(() => statuses).toEqual(['pending', 'cancelled']);
      await expect.poll(() => shown.statuses.get(followed)).toBe('cancelled');
      expect(shown.ids).toEqual(ids);
      stream.unsubscribe();
      unsubscribe();
    },
  );

  clientTest(
    'Apollo Client reads a connection page by page, and follows a charge of it',
    async ({ app, service, listed: { merchant, ids } }) => {
      const headers = toAuthorization(merchant.keys.live) as Record<string, string>;
      const live = new GraphQLWsLink(createWebSocketClient(onTestFinished, app.url, headers));
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
      const statuses: string[] = [];
      const stream = client
        .subscribe<Json>({ query: follow, variables: { id: followed } })
        .subscribe(({ data }) => {
          statuses.push(data.chargeUpdated.status);
        });
      await expect.poll(() => statuses).toEqual(['pending']);
      await cancel(service, { merchantId: merchant.merchant.id, id: followed });
      await expect.poll(() => statuses).toEqual(['pending', 'cancelled']);
      await expect.poll(() => read(shown).statuses.get(followed)).toBe('cancelled');
      expect(read(shown).ids).toEqual(ids);
      stream.unsubscribe();
      subscription.unsubscribe();
      client.stop();
    },
  );
});

describe('GraphiQL', () => {
  const test = graphqlTest;

  test('is served to browsers without credentials, and may load nothing from other origins', async ({
    app,
  }) => {
    const response = await fetch(`${app.url}/graphql`, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' ws://127.0.0.1:4000;");
    expect(policy).not.toMatch(/https?:/);
    expect((await response.text()).trimStart().startsWith('<!doctype html>')).toBe(true);
    const program = await fetch(`${app.url}/graphql`, { headers: { accept: 'application/json' } });
    expect(program.status).toBe(401);
    const query = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { origin: app.context.service.settings.publicUrl, 'content-type': 'application/json' },
      body: '{"query":"{ charges { totalCount } }"}',
    });
    expect(await query.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('Send an API key in the Authorization header') }],
    });
  });

  test('returns a readable 503 while the page is rendered, and the page to a later request', async () => {
    const { url } = await setupGraphqlApp(onTestFinished, { requestTimeoutMs: 1 });
    const requestPage = () => fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
    const unavailable = await requestPage();
    expect(unavailable.status).toBe(503);
    expect(unavailable.headers.get('content-encoding')).toBeNull();
    expect(await unavailable.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
    await expect.poll(async () => (await requestPage()).status).toBe(200);
  });

  test('shows the schema in Chromium and runs its examples with the credentials in its headers', {
    timeout: 90_000,
  }, async ({ app }) => {
    const charge = await seedCharge(app.context.service, app.merchant, { mode: 'sandbox', now: new Date() });
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      const requested: string[] = [];
      page.on('request', (request) => requested.push(request.url().replace(/^blob:/, '')));
      page.on('websocket', (socket) => requested.push(socket.url().replace(/^ws/, 'http')));
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));

      await page.goto(`${app.url}/graphql`);
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByText('CheckoutSession', { exact: true }).waitFor();

      const { apiKey, apiSecret } = app.merchant.keys.sandbox;
      await page.getByRole('button', { name: 'Headers' }).click();
      await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
      await page.keyboard.insertText(`{ "Authorization": "Basic ${apiKey}:${apiSecret}" }`);
      const run = async (example: string) => {
        await page.locator('.graphiql-execute-button').click();
        await page.getByRole('menuitem', { name: example, exact: true }).click();
      };
      const shown = (hasText: string) => page.locator('.result-window', { hasText }).waitFor();
      await run('Charges');
      await shown(charge.id);
      await run('CreateCharge');
      await shown('qrCode');
      const newest = await app.context.service.prisma.charge.findFirstOrThrow({
        where: { mode: 'sandbox' },
        orderBy: { id: 'desc' },
      });
      await run('Follow');
      await shown(newest.id);
      await cancelCharge(app.context.service, {
        ...newest,
        by: 'merchant',
        actor: 'key:test',
        now: new Date(),
      });
      await shown('cancelled');

      await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
      // On a phone the response is below the editor.
      await page.setViewportSize({ width: 360, height: 740 });
      await expect
        .poll(async () => (await page.locator('.graphiql-response').boundingBox())?.width)
        .toBeGreaterThan(240);

      expect(requested.filter((url) => new URL(url).origin !== app.url)).toEqual([]);
      expect(requested).toContain(`${app.url}/graphql`);
      expect(errors).toEqual([]);
      // The headers are not stored.
      const stored = await page.evaluate(() => JSON.stringify(localStorage));
      expect(stored).not.toContain(apiSecret);
      expect(stored).not.toContain(basicAuth(app.merchant.keys.sandbox));
    } finally {
      await browser.close();
    }
  });
});

describe('Guide', () => {
  guideTest.for(operations)(
    'the example $name runs',
    async ({ text, document, name, kind }, { app, charge }) => {
      expect(validate(schema, document)).toEqual([]);
      const values = variables[name]?.(charge) ?? {};
      if (kind === 'subscription') {
        const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, text, values);
        expect((await stream.next()).data.chargesUpdated.status).toBe('pending');
        return stream.close();
      }
      const { data, errors } = await app.ask(text, { variables: values });
      expect(errors).toBeUndefined();
      const [response] = Object.values(data) as { __typename?: string; nodes?: unknown[] }[];
      if (kind === 'mutation') expect(response?.__typename).toBe(`${name}Success`);
      else if (response && 'nodes' in response) expect(response.nodes?.length).toBeGreaterThan(0);
      else expect(response).not.toBeNull();
      if (name === 'Search')
        expect(data.charges).toMatchObject({ totalCount: 1, nodes: [{ id: charge.id }] });
    },
  );

  guideTest('the example of README.md creates a session and follows it', async ({ app }) => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const document = /```graphql\n(.*?)```/s.exec(readme)?.[1] ?? '';
    expect(document.trim().split('\n').length).toBeLessThanOrEqual(10);
    const { data } = await app.ask(document, { operationName: 'CreatePayment' });
    const { session, clientToken: token } = data.createSession;
    expect(new URL(session.checkoutUrl).searchParams.get('sessionId')).toBe(session.id);
    const events = createWebSocketClient(onTestFinished, app.url, {
      authorization: `Bearer ${token}`,
    }).iterate({
      query: document,
      operationName: 'FollowPayment',
      variables: { id: session.id },
    });
    const { value } = await events.next();
    expect(value.data.sessionUpdated).toEqual({ status: 'created', charge: null });
    await events.return?.();
  });

  guideTest('the guide has every example and states its cost', async ({ app }) => {
    expect(operations.map(({ name }) => name)).toEqual(Object.keys(variables));
    const query = operations.find(({ name }) => name === 'Charges')!.text;
    expect((await app.ask(query)).extensions).toEqual(JSON.parse(blocks('json')[0]!));
  });

  guideTest('the guide states all limits', () => {
    const section = guide.slice(guide.indexOf('## Limits'), guide.indexOf('## Live'));
    const numbers = new Set(
      [...section.matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(',', ''))),
    );
    for (const [name, limit] of Object.entries(limits))
      expect([name, numbers.has(limit)]).toEqual([name, true]);
  });

  guideTest(
    'a page of another origin follows its charge with a client token, and cannot use a secret',
    async ({ app, charge, browser }) => {
      const token = createClientToken(app.context.service.secrets, { id: charge.id, mode: 'live' });
      const script = blocks('js')[0]!
        .replaceAll('https://pay.example.com', app.url)
        .replaceAll('wss://pay.example.com', app.url.replace('http', 'ws'))
        .replace('CLIENT_TOKEN', token)
        .replace('CHARGE_ID', charge.id);
      const html = `<!doctype html><p id="reference"></p><p id="status"></p><script type="module">${script}</script>`;
      await using shop = await startReceiver((_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(html),
      );
      const page = await browser.newPage();
      await page.goto(shop.url);
      expect(new URL(shop.url).origin).not.toBe(app.url);
      await page.getByText(charge.paymentReference).waitFor();
      await page.getByText('pending').waitFor();
      const owner = { merchantId: app.merchant.merchant.id, mode: 'live' as const };
      await cancelCharge(app.context.service, {
        ...owner,
        id: charge.id,
        by: 'merchant',
        actor: 'key:test',
        now,
      });
      await page.getByText('cancelled').waitFor();

      const request = (authorization: string) =>
        page.evaluate(
          async ([url, header]) => {
            const body = JSON.stringify({ query: '{ me { id } }' });
            const headers = { authorization: header as string, 'content-type': 'application/json' };
            return fetch(`${url}/graphql`, { method: 'POST', headers, body }).then(
              async (response) => `${response.status} ${await response.text()}`,
              () => 'not readable',
            );
          },
          [app.url, authorization],
        );
      // The token gives access to its charge only.
      expect(await request(`Bearer ${token}`)).toContain('permission_denied');
      expect(await request(basicAuth(app.merchant.keys.live))).toBe('not readable');
    },
  );

  guideTest('the example for a server follows charges with a key', async ({ app }) => {
    const { apiKey, apiSecret } = app.merchant.keys.live;
    const script = blocks('ts')[0]!
      .replace(/^import .*$/gm, '')
      .replace('wss://pay.example.com', app.url.replace('http', 'ws'))
      .replace("'KEY'", JSON.stringify(apiKey))
      .replace("'SECRET'", JSON.stringify(apiSecret));
    const { id } = await seedCharge(app.context.service, app.merchant, {
      input: { email: 'server@example.com' },
      now: new Date(),
    });
    const clients: SocketClient[] = [];
    const logged: unknown[][] = [];
    const connect = (options: ClientOptions) => {
      const client = createClient(options);
      clients.push(client);
      return client;
    };
    const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
    const run = new AsyncFunction('createClient', 'WebSocket', 'console', script);
    const done = run(connect, WebSocket, { log: (...values: unknown[]) => logged.push(values) });
    await expect.poll(() => logged).toEqual([[id, 'pending']]);
    await clients[0]?.dispose();
    await done;
  });
});
