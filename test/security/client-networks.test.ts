import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished } from 'vitest';
import { createClientToken } from '../../src/domain/payments/customer-page/page-tokens.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { fileTest } from '../setup/fixtures.ts';
import { createWebSocketClient, type GraphqlApp, setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';

/** Creates a limiter that records the keys by which it counts. */
const createRecordingLimiter = (countedKeys: string[]): RateLimiter => ({
  take(key) {
    countedKeys.push(key);
    return { isAllowed: true, limit: 1, remaining: 1, resetSeconds: 0, retryAfterSeconds: 0 };
  },
});

const query = '{ __typename }';

const clientTokensTest = fileTest
  .extend('countedKeys', { scope: 'file' }, (): string[] => [])
  .extend('app', { scope: 'file' }, ({ onFileCleanup, countedKeys }) =>
    setupGraphqlApp(onFileCleanup, {
      limiter: createRecordingLimiter(countedKeys),
      trustProxy: ['127.0.0.1'],
    }),
  );

describe('Client tokens', () => {
  const test = clientTokensTest;

  async function createToken(app: GraphqlApp): Promise<string> {
    const { service } = app.context;
    return createClientToken(service.secrets, await seedCharge(service, app.merchant, { mode: 'live' }));
  }

  /** Returns the key by which a request is counted, for each transport. */
  async function readCountedKeys(
    app: GraphqlApp,
    countedKeys: string[],
    forwarded: string,
  ): Promise<[http: string | undefined, socket: string | undefined]> {
    countedKeys.length = 0;
    const headers = { 'x-forwarded-for': forwarded };
    await app.ask(query, { as: { token: await createToken(app) }, headers });
    const connection = { authorization: `Bearer ${await createToken(app)}` };
    const { value } = await createWebSocketClient(onTestFinished, app.url, connection, headers)
      .iterate({ query })
      .next();
    expect(value.data).toEqual({ __typename: 'Query' });
    return [countedKeys[0], countedKeys[1]];
  }

  describe('of one network, over HTTP and WebSocket,', () => {
    test.for([
      ['203.0.113.5', 'visitor:203.0.113.5'],
      ['198.51.100.1, 203.0.113.5', 'visitor:203.0.113.5'],
      ['203.0.113.5:50123', 'visitor:203.0.113.5'],
      ['::ffff:cb00:7105', 'visitor:203.0.113.5'],
      ['[2001:db8:1:2::9]:50123', 'visitor:2001:db8:1:2::/64'],
      ['a text that the client chose', 'visitor:unknown'],
    ] as const)(
      'are counted alike when the proxy forwards %s',
      async ([forwarded, key], { app, countedKeys }) => {
        expect(await readCountedKeys(app, countedKeys, forwarded)).toEqual([key, key]);
      },
    );
  });

  test('are not counted by an address that no trusted proxy has forwarded', async ({ countedKeys }) => {
    const direct = await setupGraphqlApp(onTestFinished, { limiter: createRecordingLimiter(countedKeys) });
    countedKeys.length = 0;
    const token = createClientToken(
      direct.context.service.secrets,
      await seedCharge(direct.context.service, direct.merchant, { mode: 'live' }),
    );
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    await direct.ask(query, { as: { token }, headers });
    await createWebSocketClient(onTestFinished, direct.url, { authorization: `Bearer ${token}` }, headers)
      .iterate({ query })
      .next();
    expect(countedKeys).toEqual(['visitor:127.0.0.1', 'visitor:127.0.0.1']);
  });
});

describe('A WebSocket without valid credentials', () => {
  clientTokensTest('is counted for its network', async ({ app, countedKeys }) => {
    countedKeys.length = 0;
    const connection = { authorization: 'Bearer ch_1.x' };
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    const stream = createWebSocketClient(onTestFinished, app.url, connection, headers).iterate({ query });
    await expect(stream.next()).rejects.toMatchObject({ code: 4401 });
    expect(countedKeys).toEqual(['visitor:203.0.113.5']);
  });
});

const customerPagesTest = fileTest
  .extend('limiters', { scope: 'file' }, (): { current?: RateLimiter } => ({}))
  .extend('server', { scope: 'file' }, ({ onFileCleanup, limiters }) =>
    setupApp(onFileCleanup, {
      // At a constant time nothing is refilled.
      limiter: { take: (key, _nowMs, cost) => limiters.current!.take(key, 0, cost) },
    }),
  )
  .extend('app', ({ server, limiters }) => {
    // Each test has a burst of two.
    limiters.current = createRateLimiter(1)!;
    return server.app;
  });

describe('Requests without valid credentials', () => {
  const test = customerPagesTest;
  const wrong = { authorization: `Basic ${btoa('ck_unknown:cs_unknown')}` };

  test.for([
    ['GET /charges with a wrong key', { url: '/charges', headers: wrong }],
    ['GET /charges without a key', { url: '/charges' }],
    [
      'GraphQL with a wrong key',
      { method: 'POST', url: '/graphql', headers: wrong, payload: { query: '{ __typename }' } },
    ],
    ['an upload with a wrong key', { method: 'PUT', url: '/uploads', headers: wrong }],
    [
      'a cancellation with a wrong token',
      { method: 'PATCH', url: '/charges/ch_1/cancel', headers: { 'cancel-token': 'x' } },
    ],
  ] as const)('are limited for each network: %s', async ([, request], { app, server }) => {
    const requestFrom = async (remoteAddress: string) =>
      (await app.inject({ ...request, remoteAddress })).statusCode;
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push(await requestFrom('203.0.113.7'));
    expect(statuses).toEqual([401, 401, 429]);
    expect(await requestFrom('203.0.113.8')).toBe(401);
    const { keys } = await seedMerchant(server.context.service);
    const authorization = basicAuth(keys.live);
    const listed = await app.inject({
      url: '/charges',
      remoteAddress: '203.0.113.7',
      headers: { authorization },
    });
    expect(listed.statusCode).toBe(200);
  });
});

describe('Customer pages', () => {
  const test = customerPagesTest;

  const get = (app: FastifyInstance, url: string, remoteAddress: string, accept = 'text/html') =>
    app.inject({ url, remoteAddress, headers: { accept } });

  test.for([
    ['/checkout', 'GET'],
    ['/pay/invoice/none', 'GET'],
    ['/pay/enrol/none', 'POST'],
  ] as const)(
    'at %s return 429 for %s requests of one network above the limit, and serve another network',
    async ([url, method], { app }) => {
      const requestFrom = (remoteAddress: string) => app.inject({ method, url, remoteAddress });
      const before = await requestFrom('2001:db8:1:2::1');
      expect(before.statusCode).not.toBe(429);
      await requestFrom('2001:db8:1:2::2');
      const limited = await requestFrom('2001:db8:1:2::3');
      expect([limited.statusCode, limited.headers['retry-after']]).toEqual([429, '1']);
      expect(limited.body).toContain('Please try again in a minute.');
      expect((await requestFrom('203.0.113.5')).statusCode).toBe(before.statusCode);
    },
  );

  test('return the limit to programs as problem+json', async ({ app }) => {
    for (let i = 0; i < 2; i++) await get(app, '/checkout', '203.0.113.9', 'application/json');
    const limited = await get(app, '/checkout', '203.0.113.9', 'application/json');
    expect([limited.statusCode, limited.json().code]).toEqual([429, 'rate_limited']);
  });

  test('load files without a limit', async ({ app }) => {
    for (let i = 0; i < 5; i++)
      expect((await get(app, '/icons/methods/fps.svg', '203.0.113.10')).statusCode).not.toBe(429);
  });
});
