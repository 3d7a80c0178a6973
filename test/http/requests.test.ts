import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { buildApp } from '../../src/app.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createAccessLog, createLazyChildLogger } from '../../src/http/access-log.ts';
import { enforceRequestTimeout } from '../../src/http/enforce-request-timeout.ts';
import { createLogger } from '../../src/kit/log.ts';
import { createRateLimiter, type RateLimiter } from '../../src/kit/rate-limiter.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { fileTest } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';

type TimeoutSite = {
  running: TestApp;
  url: string;
  merchant: NewMerchant;
};

const requestTimeoutTest = fileTest.extend('site', { scope: 'file' }, async ({ onFileCleanup }) => {
  const site = {} as TimeoutSite;
  site.url = '';
  site.running = await setupApp(onFileCleanup, { requestTimeoutMs });
  site.merchant = await seedMerchant(site.running.context.service, {}, new Date());
  site.url = await site.running.app.listen({ port: 0, host: '127.0.0.1' });
  return site;
});

const requestTimeoutMs = 800;

describe('Request timeout', () => {
  const test = requestTimeoutTest;

  /** Runs `work` while another session locks the tables. */
  async function whileLocked<T>(site: TimeoutSite, tables: string, work: () => Promise<T>): Promise<T> {
    const session = await site.running.context.service.pool.connect();
    await session.query(`BEGIN; LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
    try {
      return await work();
    } finally {
      await session.query('ROLLBACK');
      session.release();
    }
  }

  const post = (site: TimeoutSite, path: string, body: object, headers = {}) =>
    fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: basicAuth(site.merchant.keys.live),
        'content-type': 'application/json',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  const terms = { email: 'ada@example.com', merchantCurrency: 'HKD', method: 'fps' };
  const charge = { ...terms, merchantAmount: 25 };
  const query = `mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
  ... on CreateChargeSuccess { charge { id } } } }`;

  test('returns 503 for REST; a retry with the idempotency key returns the result', async ({ site }) => {
    const headers = { 'idempotency-key': 'order 7' };
    const rejected = await whileLocked(site, 'charge', () => post(site, '/charges', charge, headers));
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('content-type')).toContain('application/problem+json');
    expect(await rejected.json()).toMatchObject({ code: 'unavailable', status: 503 });
    const repeat = async () => (await post(site, '/charges', charge, headers)).status;
    await expect.poll(repeat).toBe(201);
    expect(await site.running.context.service.prisma.charge.count()).toBe(1);
  });

  test('is nine seconds by default', async () => {
    const app = Fastify();
    enforceRequestTimeout(app);
    const started = Promise.withResolvers<void>();
    app.get('/', () => {
      started.resolve();
      return new Promise(() => {});
    });
    await app.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = app.inject('/');
    await started.promise;
    vi.advanceTimersByTime(9_000);
    expect((await response).json()).toMatchObject({ message: 'No response within 9 s; retry the request' });
  });

  test('drops the response of work that continues, without a warning', async () => {
    const log: string[] = [];
    const stream = { write: (line: string) => void log.push(line) };
    const app = Fastify({ logger: { level: 'warn', stream } });
    enforceRequestTimeout(app, 20);
    app.setErrorHandler(async (_error, _request, reply) => reply.status(503).send('late'));
    const answered = Promise.withResolvers<void>();
    app.get('/returned', () => answered.promise.then(() => 'done'));
    app.get('/sent', (_request, reply) => answered.promise.then(() => reply.send('done')));
    for (const url of ['/returned', '/sent'])
      expect(await app.inject(url)).toMatchObject({ statusCode: 503, body: 'late' });
    answered.resolve();
    await app.close();
    expect(log).toEqual([]);
  });

  test('returns 503 for GraphQL', async ({ site }) => {
    const variables = { input: { ...terms, merchantAmount: '30' } };
    const rejected = await whileLocked(site, 'charge', () => post(site, '/graphql', { query, variables }));
    expect(rejected.status).toBe(503);
    expect(await rejected.json()).toMatchObject({ errors: [{ extensions: { code: 'unavailable' } }] });
  });

  test('returns 503 for a page as HTML', async ({ site }) => {
    const key = site.merchant.keys.live.publishableKey;
    const address = `${site.url}/checkout?apiKey=${key}&amount=25&currency=HKD`;
    await expect.poll(async () => (await fetch(address)).status).toBe(200);
    const rejected = await whileLocked(site, 'api_key, merchant', () => fetch(address));
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('content-type')).toContain('text/html');
  });

  test('does not apply to streams and uploads', async ({ site }) => {
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const follow = () =>
      fetch(`${site.url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: basicAuth(site.merchant.keys.live),
          accept: 'text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query: 'subscription { chargesUpdated { id } }' }),
        signal: ended.signal,
      });
    let stream = await follow();
    // A busy machine may need longer than the timeout to start it.
    while (stream.status === 503) stream = await follow();
    let sent = 0;
    const slowly = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, requestTimeoutMs / 2));
        sent++;
        controller.enqueue(new TextEncoder().encode('2026-11-17,25,hello\n'));
        if (sent === 4) controller.close();
      },
    });
    const uploaded = await fetch(`${site.url}/uploads`, {
      method: 'PUT',
      headers: { authorization: basicAuth(site.merchant.keys.live), 'content-type': 'text/csv' },
      body: slowly,
      duplex: 'half',
    } as RequestInit);
    expect(uploaded.status).toBe(200);
    let id = '';
    const createOne = async () => {
      const created = await post(site, '/charges', { ...charge, notifyPayload: 'news' });
      ({ id = '' } = (await created.json()) as { id?: string });
      return id;
    };
    await expect.poll(createOne).toMatch(/^ch_/);
    let received = '';
    for await (const part of stream.body as unknown as AsyncIterable<Uint8Array>) {
      received += new TextDecoder().decode(part);
      if (received.includes(id)) break;
    }
    expect(received).toContain(id);
  });
});

describe('Static files', () => {
  const test = fileTest;

  test.each([
    ['a range beyond the end of the file', { range: 'bytes=99999999-' }],
    ['a range without an end', { range: 'bytes=9-1' }],
    ['a precondition that does not hold', { 'if-match': '"x"' }],
    ['a file that must not have changed since', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('return 400 for %s', async (_what, headers) => {
    const errors: string[] = [];
    const { app } = await setupApp(onTestFinished, {
      log: createLogger('error', { write: (line) => void errors.push(line) }),
    });
    const response = await app.inject({ url: '/docs/static/swagger-ui.css', headers });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'invalid_request' });
    expect(response.body).not.toContain('node_modules');
    expect(errors).toEqual([]);
  });

  test('send a valid range', async () => {
    const { app } = await setupApp(onTestFinished);
    const response = await app.inject({
      url: '/docs/static/swagger-ui.css',
      headers: { range: 'bytes=0-9' },
    });
    expect(response.statusCode).toBe(206);
    expect(response.rawPayload).toHaveLength(10);
  });
});

describe('Rate limit', () => {
  const test = fileTest;

  test('returns Retry-After to one API key, without effect on others', async () => {
    const { take } = createRateLimiter(1)!;
    const limiter: RateLimiter = { take: (key, _nowMs, cost) => take(key, 0, cost) };
    const { app, context } = await setupApp(onTestFinished, { limiter });
    const [merchant, otherMerchant] = [
      await seedMerchant(context.service),
      await seedMerchant(context.service),
    ];
    const get = (keys: typeof merchant.keys.live) =>
      callApi(app, { method: 'GET', url: '/currencies', keys });
    const responses = [
      await get(merchant.keys.live),
      await get(merchant.keys.live),
      await get(merchant.keys.live),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 429]);
    const first = { 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '1' };
    expect(responses[0]?.headers).toMatchObject(first);
    expect(responses[2]).toMatchObject({
      json: { code: 'rate_limited' },
      headers: { 'retry-after': '1', 'ratelimit-reset': '2' },
    });
    expect((await get(otherMerchant.keys.live)).status).toBe(200);
  });
});

describe('Log', () => {
  const test = fileTest;

  test('has one line for each request, or only for failures if the route logs less', async () => {
    const lines: string[] = [];
    const stream = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const app = Fastify({
      loggerInstance: createLogger('info', stream),
      logController: createAccessLog(),
      childLoggerFactory: createLazyChildLogger,
    });
    app.get('/loud', async () => 'ok');
    app.get('/quiet', { logLevel: 'warn' }, async () => 'ok');
    app.get('/broken', { logLevel: 'warn' }, async (_request, reply) => {
      reply.hijack();
      reply.raw.emit('error', new Error('connection lost'));
    });
    for (const url of ['/loud', '/quiet']) await app.inject(url);
    await app.inject('/broken').catch(() => {});
    await app.close();
    const entries = lines.map((line) => JSON.parse(line) as { msg: string; req: { path: string } });
    expect(entries.map(({ msg, req }) => [msg, req.path])).toEqual([
      ['request completed', '/loud'],
      ['request errored', '/broken'],
    ]);
  });
});

describe('TRUST_PROXY', () => {
  const test = fileTest;

  test('determines whether the address of a caller is that of the connection or a forwarded one', async () => {
    const { context } = await setupApp(onTestFinished);
    const { merchant, keys } = await seedMerchant(context.service);
    const readLoggedAddress = async (trustProxy: string[]) => {
      const behind = await buildApp({ ...context, options: { ...context.options, trustProxy } });
      onTestFinished(() => behind.close());
      const response = await behind.inject({
        method: 'POST',
        url: '/checkout-link',
        headers: { authorization: basicAuth(keys.live), 'x-forwarded-for': '198.51.100.7, 203.0.113.9' },
        payload: { amount: 5, currency: 'HKD', apiKey: keys.live.publishableKey },
        remoteAddress: '10.0.0.5',
      });
      expect(response.statusCode).toBe(200);
      const entry = await context.service.prisma.auditEntry.findFirst({
        where: { merchantId: merchant.id },
        orderBy: { id: 'desc' },
      });
      return entry?.ipAddress;
    };
    expect(await readLoggedAddress(['192.0.2.0/24'])).toBe('10.0.0.5');
    expect(await readLoggedAddress(['10.0.0.0/8'])).toBe('203.0.113.9');
  });
});
