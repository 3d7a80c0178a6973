import { tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { limits } from '../../schema/server/limits.ts';
import {
  dashboardHashesFile,
  readDashboardDocuments,
  renderDashboardHashes,
} from '../../scripts/dashboard-documents.ts';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { graphqlTest as test } from '../setup/app-fixtures.ts';
import { fileTest } from '../setup/fixtures.ts';
import {
  createWebSocketClient,
  type GraphqlApp,
  setupGraphqlApp,
  subscribeOverWebSocket,
} from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { signInAs } from '../setup/sign-in.ts';
import { createVisitor, getDashboardDocument, publicOrigin } from '../setup/visitor.ts';

/** Only callers with credentials may have the server parse, validate or compress. */

/** Counts how often graphql-js parses, validates and executes during `work`. */
async function countSteps<T>(work: () => Promise<T>) {
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

/** A document of 12 KB whose validation takes up to 0.4 seconds without a limit. */
const reported = `{${'viewer{merchant{paymentWindows{minutes}}}'.repeat(290)}}`;
const copies = (count: number, text = '__typename') => Array(count).fill(text).join(' ');

describe('Browser without a session', () => {
  const request = (app: GraphqlApp, query: string) => createVisitor(app.app).ask(query);

  test.for([
    ['a document that is slow to validate', reported],
    ['a short query', '{ viewer { user { id } } }'],
    ['a document of the dashboard with one character more', `${getDashboardDocument('Viewer')} `],
    ['an introspection that no tool sends', '{ __schema { types { name } } }'],
    ['no document', ''],
  ] as const)('receives 401 for %s, before it is parsed', async ([_name, query], { app }) => {
    const { steps, result } = await countSteps(() => request(app, query));
    expect(result.status).toBe(401);
    expect(result.errors[0].extensions.code).toBe('unauthenticated');
    expect(result.response.headers['www-authenticate']).toBeUndefined();
    expect(steps).toEqual({ parse: 0, validate: 0, execute: 0 });
  });

  test('can run every document of the dashboard', async ({ app }) => {
    const documents = readDashboardDocuments();
    expect(documents.length).toBeGreaterThan(100);
    const rejected: string[] = [];
    for (const { declaration, text } of documents)
      if ((await request(app, text)).status === 401) rejected.push(declaration);
    expect(rejected).toEqual([]);
  });

  test('receives the introspection of tools without a second execution', async ({ app }) => {
    const query = getIntrospectionQuery();
    const first = await request(app, query);
    const { steps, result } = await countSteps(() => request(app, query));
    expect(steps).toEqual({ parse: 0, validate: 0, execute: 0 });
    expect(result.data).toEqual(first.data);
  });

  test('is not authenticated by the dashboard’s cookie over a WebSocket without a mode, as GraphiQL’s', async ({
    app,
  }) => {
    const { cookie } = await signInAs('owner', app, app.merchant);
    const headers = { origin: publicOrigin, cookie: cookie()! };
    const query = '{ viewer { user { email } } }';
    const asGraphiql = createWebSocketClient(onTestFinished, app.url, {}, headers).iterate({ query });
    await expect(asGraphiql.next()).rejects.toMatchObject({ code: 4401 });
    const asDashboard = createWebSocketClient(onTestFinished, app.url, { mode: 'live' }, headers).iterate({
      query,
    });
    expect((await asDashboard.next()).value.errors).toBeUndefined();
  });
});

test('Stored hashes are those of the dashboard’s documents, as `npm run schema` writes them', () => {
  expect(readFileSync(dashboardHashesFile, 'utf8')).toBe(renderDashboardHashes());
});

describe('Fields with one response name', () => {
  const fields = copies(limits.fieldsPerName + 1);
  const nested = copies(8, `charge(id: "ch_1") { ${copies(7, 'session { id }')} }`);
  const spread = Array.from({ length: limits.fieldsPerName + 1 }, (_, i) => `F${i}`);
  const doubled = Array.from({ length: 60 }, (_, i) => {
    return `fragment F${i} on Charge { a: session { charge { ...F${i + 1} } } b: session { charge { ...F${i + 1} } } }`;
  });

  test.for([
    ['a document that is slow to validate', reported],
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
  ] as const)('are rejected as %s', async ([name, query], { app }) => {
    const { steps, result } = await countSteps(() =>
      app.ask(query, { headers: { accept: 'application/graphql-response+json' } }),
    );
    expect([result.status, result.errors[0].extensions.code]).toEqual([400, 'invalid_request']);
    // Validation itself rejects cycles.
    if (name !== 'a fragment within itself') expect(steps).toMatchObject({ validate: 0, execute: 0 });
  });

  test('are rejected before validation over a WebSocket', async ({ app }) => {
    const { steps } = await countSteps(async () => {
      const stream = subscribeOverWebSocket(onTestFinished, app.url, app.merchant.keys.live, reported);
      await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    });
    expect(steps).toMatchObject({ validate: 0, execute: 0 });
  });

  test('are executed up to the limit', async ({ app }) => {
    const { errors } = await app.ask(
      `{ ${copies(limits.fieldsPerName)} me { ${copies(limits.fieldsPerName, 'id')} } }`,
    );
    expect(errors).toBeUndefined();
  });
});

describe('Client token', () => {
  const long = `{ __typename ${copies(400, 'aaaaaaaaa')} }`;
  const unknown = Array.from({ length: 60 }, (_, i) => `fragment Z${i} on UpdateReceivingAccoun${i} { id }`);
  const token = async (app: GraphqlApp) => {
    const { id, mode } = await seedCharge(app.context.service, app.merchant, { mode: 'live' });
    return createClientToken(app.context.service.secrets, { id, mode });
  };

  test('allows documents of at most 4,000 characters, over HTTP and WebSocket', async ({ app }) => {
    const as = { token: await token(app) };
    const { steps } = await countSteps(async () => {
      expect((await app.ask(long, { as })).errors[0].extensions.code).toBe('invalid_request');
      const stream = createWebSocketClient(onTestFinished, app.url, {
        authorization: `Bearer ${as.token}`,
      }).iterate({
        query: long,
      });
      await expect(stream.next()).rejects.toMatchObject([{ extensions: { code: 'invalid_request' } }]);
    });
    expect(steps).toMatchObject({ parse: 0, validate: 0, execute: 0 });
  });

  test('receives only the first validation errors, because each searches for a name to suggest', async ({
    app,
  }) => {
    const { errors } = await app.ask(`{ __typename } ${unknown.join(' ')}`, {
      as: { token: await token(app) },
    });
    expect(errors.length).toBeLessThanOrEqual(6);
    expect(errors.at(-1).message).toMatch(/too many validation errors/i);
  });

  test('is limited by network and by the size of the document', async () => {
    const limiter = createRateLimiter(10)!;
    const still: RateLimiter = { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) };
    const served = await setupGraphqlApp(onTestFinished, { limiter: still });
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

describe('Limit of visitors', () => {
  /** Creates a limiter at a constant time, which refills nothing. */
  const createConstantTimeLimiter = (ratePerSecond: number): RateLimiter => {
    const limiter = createRateLimiter(ratePerSecond)!;
    return { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) };
  };
  const long = `${getDashboardDocument('Viewer')}${' '.repeat(5_000)}`;
  const limited = async (visitor: ReturnType<typeof createVisitor>, query = getDashboardDocument('Viewer')) =>
    (await visitor.ask(query)).response.headers['ratelimit-remaining'];

  test('is shared by the addresses of one /64, and not with another', async () => {
    const { app: served } = await setupApp(onTestFinished, { limiter: createConstantTimeLimiter(10) });
    const requestFrom = (address: string) => limited(createVisitor(served, { address }));
    expect([await requestFrom('2001:db8::1'), await requestFrom('2001:db8::ffff:2')]).toEqual(['19', '18']);
    expect(await requestFrom('2001:db8:0:1::1')).toBe('19');
  });

  test('depends on the size of the document, whether it is executed or not', async () => {
    const { app: served } = await setupApp(onTestFinished, { limiter: createConstantTimeLimiter(10) });
    const visitor = createVisitor(served);
    expect(await limited(visitor)).toBe('19');
    expect(await limited(visitor, long)).toBe('13');
    expect([await limited(visitor, long), await limited(visitor, long)]).toEqual(['7', '1']);
    expect((await visitor.ask(long)).status).toBe(429);
  });

  test('depends on the size of GraphiQL, which is not sent without gzip', async () => {
    const { app: served } = await setupApp(onTestFinished, { limiter: createConstantTimeLimiter(20) });
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

// At a constant time nothing is refilled.
const graphqlParametersTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) => {
    const limiter = createRateLimiter(100)!;
    return setupGraphqlApp(onFileCleanup, {
      limiter: { take: (key, _nowMs, cost) => limiter.take(key, 0, cost) },
    });
  })
  .extend('page', { scope: 'file' }, async ({ app }) => {
    const { service } = app.context;
    const charge = await seedCharge(service, app.merchant, { mode: 'live' });
    return `Bearer ${createClientToken(service.secrets, charge)}`;
  });

describe('GraphQL parameters', () => {
  const test = graphqlParametersTest;

  const long = `{ __typename ${' '.repeat(4_500)}}`;
  const short = '{ __typename }';

  /** Sends the URL unchanged, which `fetch` and `inject` would normalize. */
  async function get(
    app: GraphqlApp,
    page: string,
    address: string,
    authorization = page,
    accept = 'application/json',
  ) {
    const sent = request(app.url, { path: `/graphql${address}`, headers: { authorization, accept } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await readText(response) };
  }

  const query = encodeURIComponent(long);

  describe('in a GET request', () => {
    test.for([
      ['twice', `?query=${query}&query=b`],
      ['twice, the first one empty', `?query=&query=${query}`],
      ['alone', `?query=${query}`],
    ] as const)('with a long document given %s are rejected', async ([_name, address], { app, page }) => {
      for (const accept of ['application/json', 'text/event-stream', 'application/graphql-response+json']) {
        const { text } = await get(app, page, address, page, accept);
        expect(text).toContain('"invalid_request"');
        expect(text).not.toContain('__typename');
      }
    });

    test.for(['query', 'variables', 'operationName', 'extensions'])(
      'with %s given twice are rejected for every caller',
      async (name, { app, page }) => {
        for (const authorization of [page, basicAuth(app.merchant.keys.live)]) {
          const { status, text } = await get(
            app,
            page,
            `?query=${encodeURIComponent(short)}&${name}=&${name}=a`,
            authorization,
          );
          expect([status, JSON.parse(text).errors[0].extensions.code]).toEqual([400, 'invalid_request']);
        }
      },
    );

    test('with one short document are executed', async ({ app, page }) => {
      const { status, text } = await get(
        app,
        page,
        `?query=${encodeURIComponent(short)}&variables=&operationName=`,
      );
      expect([status, JSON.parse(text).data]).toEqual([200, { __typename: 'Query' }]);
    });
  });

  test.for([
    ['a list', [long]],
    ['an object', { length: 1, text: long }],
    ['a number', 5],
  ] as const)(
    'in a POST request whose document is %s are rejected',
    async ([_name, document], { app, page }) => {
      for (const accept of ['application/json', 'text/event-stream']) {
        const response = await fetch(`${app.url}/graphql`, {
          method: 'POST',
          headers: { authorization: page, accept, 'content-type': 'application/json' },
          body: JSON.stringify({ query: document }),
        });
        expect(response.status).toBe(400);
      }
    },
  );

  test('with a list as the document close the WebSocket connection', async ({ app, page }) => {
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    socket.once('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: page } })),
    );
    socket.once('message', () =>
      socket.send(JSON.stringify({ type: 'subscribe', id: 'a', payload: { query: [long] } })),
    );
    expect(await closed).toBe(4400);
  });
});
