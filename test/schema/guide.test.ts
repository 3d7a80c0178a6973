import { readFileSync } from 'node:fs';
import { Kind, type OperationDefinitionNode, parse, validate } from 'graphql';
import { type Client, type ClientOptions, createClient } from 'graphql-ws';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { schema } from '../../schema/schema.ts';
import { limits } from '../../schema/server/limits.ts';
import { cancelCharge } from '../../src/domain/payments/charge/cancel-charge.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { basicAuth } from '../setup/api.ts';
import { launchChromium } from '../setup/chromium.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedCharge } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

/** docs/reference/graphql.md says what is true: its examples run, the last one in a customer's browser. */

const guide = readFileSync(new URL('../../docs/reference/graphql.md', import.meta.url), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1] as string,
  );

let app: GraphqlApp;
let browser: Browser;
let charge: { id: string; paymentReference: string };
const now = new Date();

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
  charge = await seedCharge(app.context.service, app.merchant, {
    input: { orders: [{ id: 'order-4711', name: 'Tea' }] },
    now,
  });
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** What the examples are given. */
const variables: Record<string, () => object> = {
  OneCharge: () => ({ id: charge.id }),
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
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  return { text, document, name: operation?.name?.value ?? '', kind: operation?.operation };
});

test.each(operations)('the example $name runs', async ({ text, document, name, kind }) => {
  expect(validate(schema, document)).toEqual([]);
  const given = variables[name]?.() ?? {};
  if (kind === 'subscription') {
    const stream = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, text, given);
    expect((await stream.next()).data.chargesUpdated.status).toBe('pending');
    return stream.close();
  }
  const { data, errors } = await app.ask(text, { variables: given });
  expect(errors).toBeUndefined();
  const [answer] = Object.values(data) as { __typename?: string; nodes?: unknown[] }[];
  if (kind === 'mutation') expect(answer?.__typename).toBe(`${name}Success`);
  else if (answer && 'nodes' in answer) expect(answer.nodes?.length).toBeGreaterThan(0);
  else expect(answer).not.toBeNull();
  if (name === 'Search') expect(data.charges).toMatchObject({ totalCount: 1, nodes: [{ id: charge.id }] });
});

test('the main job of README.md runs: it creates a session, then follows it', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const document = /```graphql\n(.*?)```/s.exec(readme)?.[1] ?? '';
  expect(document.trim().split('\n').length).toBeLessThanOrEqual(10);
  const { data } = await app.ask(document, { operationName: 'CreatePayment' });
  const { session, clientToken: token } = data.createSession;
  expect(new URL(session.checkoutUrl).searchParams.get('sessionId')).toBe(session.id);
  const events = createWebSocketClient(onCleanup, app.url, { authorization: `Bearer ${token}` }).iterate({
    query: document,
    operationName: 'FollowPayment',
    variables: { id: session.id },
  });
  const { value } = await events.next();
  expect(value.data.sessionUpdated).toEqual({ status: 'created', charge: null });
  await events.return?.();
});

test('every example is there, and the cost that is told is the cost', async () => {
  expect(operations.map(({ name }) => name)).toEqual(Object.keys(variables));
  const query = operations.find(({ name }) => name === 'Charges')!.text;
  expect((await app.ask(query)).extensions).toEqual(JSON.parse(blocks('json')[0]!));
});

test('the limits that are told are the limits', () => {
  const told = guide.slice(guide.indexOf('## Limits'), guide.indexOf('## Live'));
  const numbers = new Set([...told.matchAll(/\d[\d,]*/g)].map(([text]) => Number(text.replaceAll(',', ''))));
  for (const [name, limit] of Object.entries(limits))
    expect([name, numbers.has(limit)]).toEqual([name, true]);
});

test('a page of another origin follows its charge with a client token, and can do nothing with a secret', async () => {
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

  const ask = (authorization: string) =>
    page.evaluate(
      async ([url, header]) => {
        const body = JSON.stringify({ query: '{ me { id } }' });
        const headers = { authorization: header as string, 'content-type': 'application/json' };
        return fetch(`${url}/graphql`, { method: 'POST', headers, body }).then(
          async (answer) => `${answer.status} ${await answer.text()}`,
          () => 'not readable',
        );
      },
      [app.url, authorization],
    );
  // The token opens its charge alone.
  expect(await ask(`Bearer ${token}`)).toContain('permission_denied');
  expect(await ask(basicAuth(app.merchant.keys.live))).toBe('not readable');
});

test('the example for a server follows charges with a key', async () => {
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
  const clients: Client[] = [];
  const told: unknown[][] = [];
  const connect = (options: ClientOptions) => {
    const client = createClient(options);
    clients.push(client);
    return client;
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction('createClient', 'WebSocket', 'console', script);
  const done = run(connect, WebSocket, { log: (...words: unknown[]) => told.push(words) });
  await expect.poll(() => told).toEqual([[id, 'pending']]);
  await clients[0]?.dispose();
  await done;
});
