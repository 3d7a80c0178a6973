import { tracingChannel } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../schema/server/limits.ts';
import {
  dashboardHashesFile,
  readDashboardDocuments,
  renderDashboardHashes,
} from '../../scripts/dashboard-documents.ts';
import { createClientToken } from '../../src/domain/payments/checkout/page-tokens.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { setupApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { createVisitor, getDashboardDocument, publicOrigin } from '../setup/visitor.ts';

const onCleanup = cleanupAfterFile();

/** Finding 4 of the penetration test: nobody without credentials has the server parse, validate or compress for them. */

let app: GraphqlApp;

beforeAll(async () => {
  app = await setupGraphqlApp(onCleanup);
});

/** How often graphql-js parses, validates and executes during some work. */
async function stepsOf<T>(work: () => Promise<T>) {
  const steps = { parse: 0, validate: 0, execute: 0 };
  const stops = (Object.keys(steps) as (keyof typeof steps)[]).map((step) => {
    const channel = tracingChannel(`graphql:${step}`).start;
    const count = () => void steps[step]++;
    channel.subscribe(count);
    return () => channel.unsubscribe(count);
  });
  const result = await work().finally(() => {
    for (const stop of stops) stop();
  });
  return { steps, result };
}

/** Of the report: 12 KB that took validation up to 0.4 seconds. */
const reported = `{${'viewer{merchant{paymentWindows{minutes}}}'.repeat(290)}}`;
const copies = (count: number, text = '__typename') => Array(count).fill(text).join(' ');

describe('a browser without a session', () => {
  const ask = (query: string) => createVisitor(app.app).ask(query);

  test.each([
    ['the document of the report', reported],
    ['a short query', '{ viewer { user { id } } }'],
    ['a document of the dashboard with one character more', `${getDashboardDocument('Viewer')} `],
    ['an introspection that no tool sends', '{ __schema { types { name } } }'],
    ['no document', ''],
  ])('is answered 401 for %s, before it is parsed', async (_name, query) => {
    const { steps, result } = await stepsOf(() => ask(query));
    expect(result.status).toBe(401);
    expect(result.errors[0].extensions.code).toBe('unauthenticated');
    expect(result.response.headers['www-authenticate']).toBeUndefined();
    expect(steps).toEqual({ parse: 0, validate: 0, execute: 0 });
  });

  test('may run every document of the dashboard', async () => {
    const documents = readDashboardDocuments();
    expect(documents.length).toBeGreaterThan(100);
    const rejected: string[] = [];
    for (const { declaration, text } of documents)
      if ((await ask(text)).status === 401) rejected.push(declaration);
    expect(rejected).toEqual([]);
  });

  test('has the introspection of tools answered without executing it again', async () => {
    const query = getIntrospectionQuery();
    const first = await ask(query);
    const { steps, result } = await stepsOf(() => ask(query));
    expect(steps).toEqual({ parse: 0, validate: 0, execute: 0 });
    expect(result.data).toEqual(first.data);
  });

  test('does not use the session of the dashboard’s cookie over a WebSocket that names no mode, as GraphiQL’s', async () => {
    const { cookie } = await signInAs('owner', app, app.merchant);
    const headers = { origin: publicOrigin, cookie: cookie()! };
    const query = '{ viewer { user { email } } }';
    const asGraphiql = createWebSocketClient(onCleanup, app.url, {}, headers).iterate({ query });
    await expect(asGraphiql.next()).rejects.toMatchObject({ code: 4401 });
    const asDashboard = createWebSocketClient(onCleanup, app.url, { mode: 'live' }, headers).iterate({
      query,
    });
    expect((await asDashboard.next()).value.errors).toBeUndefined();
  });
});

test('the hashes are those of the dashboard’s documents; `npm run schema` writes them', () => {
  expect(readFileSync(dashboardHashesFile, 'utf8')).toBe(renderDashboardHashes());
});

describe('fields with one response name, for callers with credentials', () => {
  const fields = copies(limits.fieldsPerName + 1);
  const nested = copies(8, `charge(id: "ch_1") { ${copies(7, 'session { id }')} }`);
  const spread = Array.from({ length: limits.fieldsPerName + 1 }, (_, i) => `F${i}`);
  const doubled = Array.from({ length: 60 }, (_, i) => {
    return `fragment F${i} on Charge { a: session { charge { ...F${i + 1} } } b: session { charge { ...F${i + 1} } } }`;
  });

  test.each([
    ['the document of the report', reported],
    ['one too many', `{ ${fields} }`],
    [
      'one too many by an alias',
      `{ ${copies(limits.fieldsPerName, 'me { id }')} me: viewer { __typename } }`,
    ],
    ['too many in inline fragments', `{ ${copies(limits.fieldsPerName + 1, '... { __typename }')} }`],
    [
      'too many in fragments',
      `{ ${spread.map((name) => `...${name}`).join(' ')} }
       ${spread.map((name) => `fragment ${name} on Query { __typename }`).join(' ')}`,
    ],
    ['too many of merged fields', `{ ${nested} }`],
    ['too many in a fragment that is not used', `{ __typename } fragment F on Query { ${fields} }`],
    [
      'fragments that double the document sixty times',
      `{ charge(id: "ch_1") { ...F0 } } ${doubled.join(' ')} fragment F60 on Charge { id }`,
    ],
    [
      'a fragment within itself',
      '{ ...F } fragment F on Query { ...G me { id } } fragment G on Query { ...F }',
    ],
  ])('%s is rejected', async (name, query) => {
    const { steps, result } = await stepsOf(() =>
      app.ask(query, { headers: { accept: 'application/graphql-response+json' } }),
    );
    expect([result.status, result.errors[0].extensions.code]).toEqual([400, 'invalid_request']);
    // Validation itself rejects cycles.
    if (name !== 'a fragment within itself') expect(steps).toMatchObject({ validate: 0, execute: 0 });
  });

  test('too many are rejected before validation over a WebSocket', async () => {
    const { steps } = await stepsOf(async () => {
      const stream = subscribeOverWebSocket(onCleanup, app.url, app.merchant.keys.live, reported);
      await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    });
    expect(steps).toMatchObject({ validate: 0, execute: 0 });
  });

  test('as many as there may be are executed', async () => {
    const { errors } = await app.ask(
      `{ ${copies(limits.fieldsPerName)} me { ${copies(limits.fieldsPerName, 'id')} } }`,
    );
    expect(errors).toBeUndefined();
  });
});

describe('a client token, which anyone gets who starts a checkout', () => {
  const long = `{ __typename ${copies(400, 'aaaaaaaaa')} }`;
  const unknown = Array.from({ length: 60 }, (_, i) => `fragment Z${i} on UpdateReceivingAccoun${i} { id }`);
  const token = async () => {
    const { id, mode } = await seedCharge(app.context.service, app.merchant, { mode: 'live' });
    return createClientToken(app.context.service.secrets, { id, mode });
  };

  test('sends documents of at most 4,000 characters, over HTTP and WebSocket', async () => {
    const as = { token: await token() };
    const { steps } = await stepsOf(async () => {
      expect((await app.ask(long, { as })).errors[0].extensions.code).toBe('invalid_request');
      const stream = createWebSocketClient(onCleanup, app.url, {
        authorization: `Bearer ${as.token}`,
      }).iterate({
        query: long,
      });
      await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    });
    expect(steps).toMatchObject({ parse: 0, validate: 0, execute: 0 });
  });

  test('has only the first few validation errors computed, each of which searches for a name to suggest', async () => {
    const { errors } = await app.ask(`{ __typename } ${unknown.join(' ')}`, { as: { token: await token() } });
    expect(errors.length).toBeLessThanOrEqual(6);
    expect(errors.at(-1).message).toMatch(/too many validation errors/i);
  });

  test('is counted for the network that sends it, by the size of the document', async () => {
    const limiter = createRateLimiter(10)!;
    const still: RateLimiter = { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) };
    const served = await setupGraphqlApp(onCleanup, { limiter: still });
    const tokens = await Promise.all(
      [0, 1].map(async () => {
        const { service } = served.context;
        const charge = await seedCharge(service, served.merchant, { mode: 'live' });
        return createClientToken(service.secrets, charge);
      }),
    );
    const remaining = async (token: string, query: string) =>
      (await served.ask(query, { as: { token } })).headers.get('ratelimit-remaining');
    expect(await remaining(tokens[0]!, '{ __typename }')).toBe('19');
    expect(await remaining(tokens[1]!, `{ __typename ${' '.repeat(2_500)} }`)).toBe('16');
  });
});

describe('visitors are limited', () => {
  /** A limiter whose time stands still, so that nothing is refilled. */
  const stillLimiter = (ratePerSecond: number): RateLimiter => {
    const limiter = createRateLimiter(ratePerSecond)!;
    return { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) };
  };
  const long = `${getDashboardDocument('Viewer')}${' '.repeat(5_000)}`;
  const limited = async (visitor: ReturnType<typeof createVisitor>, query = getDashboardDocument('Viewer')) =>
    (await visitor.ask(query)).response.headers['ratelimit-remaining'];

  test('by network: addresses of one /64 share a limit, those of another do not', async () => {
    const { app: served } = await setupApp(onCleanup, { limiter: stillLimiter(10) });
    const at = (address: string) => limited(createVisitor(served, { address }));
    expect([await at('2001:db8::1'), await at('2001:db8::ffff:2')]).toEqual(['19', '18']);
    expect(await at('2001:db8:0:1::1')).toBe('19');
  });

  test('by the size of the document, whether it is executed or not', async () => {
    const { app: served } = await setupApp(onCleanup, { limiter: stillLimiter(10) });
    const visitor = createVisitor(served);
    expect(await limited(visitor)).toBe('19');
    expect(await limited(visitor, long)).toBe('13');
    expect([await limited(visitor, long), await limited(visitor, long)]).toEqual(['7', '1']);
    expect((await visitor.ask(long)).status).toBe(429);
  });

  test('by the size of GraphiQL, which is not sent without gzip', async () => {
    const { app: served } = await setupApp(onCleanup, { limiter: stillLimiter(20) });
    const load = (encoding: string) =>
      served.inject({ url: '/graphql', headers: { accept: 'text/html', 'accept-encoding': encoding } });
    for (const encoding of ['', 'identity', 'br', 'gzip;q=0']) {
      const { statusCode, body } = await load(encoding);
      expect([statusCode, body.length < 500]).toEqual([406, true]);
      expect(body).toContain('not_acceptable');
    }
    const [first, second] = [await load('gzip'), await load('gzip')];
    expect([first.statusCode, second.statusCode]).toEqual([200, 429]);
  });
});
