import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { readSources } from '../../scripts/import-graph.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { advanceTestClock } from '../../src/domain/operations/test-clock/advance-test-clock.ts';
import {
  createCancelToken,
  createClientToken,
  createPageToken,
  type PageKind,
} from '../../src/domain/payments/customer-page/page-tokens.ts';
import { merchantNow } from '../../src/domain/platform/clock/merchant-now.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { setSecurityHeaders } from '../../src/http/security-headers.ts';
import { type IdType, newId } from '../../src/kit/id.ts';
import { createLogger } from '../../src/kit/log.ts';
import { isSameText } from '../../src/kit/secrets.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { setupApp } from '../setup/app.ts';
import { fakeTimeGraphqlTest, systemTimeAppTest as test } from '../setup/app-fixtures.ts';
import { createFakeClock, type FakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { type Route, setupFullApp } from '../setup/full-app.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { seedOneOfEachType } from '../setup/seed-one-of-each-type.ts';

/** Comparisons without untrusted input, each with the reason. */
const trustedComparisons: Record<string, string> = {
  'src/domain/platform/secrets/data-keys.ts: if (sources.appSecret === undefined && (await readAppSecret(sources.dataDir)) !== secret)':
    'the operator’s own secret with the file that contains it',
};

test('Secrets, tokens, codes and hashes are compared in constant time', () => {
  const secret = String.raw`(?:\w+\.)*(?:secret|token|password|signature|codeHash|secretHash|tokenHash|passwordHash|createTotpCode\([^)]*\))\b`;
  const compares = new RegExp(
    String.raw`\b${secret} [!=]== (?!undefined|null|''|"")\S|\S [!=]== ${secret}(?![.(])`,
  );
  const isCompared = (line: string) =>
    compares.test(line) && !/(?:undefined|null|''|0|kind|typeof) [!=]== /.test(line);
  expect(isCompared('if (given.secret === key.secret)')).toBe(true);
  expect(isCompared('if (token === undefined)')).toBe(false);
  const comparisons = [...readSources()].flatMap(([file, text]) => {
    const lines = /^(?:src|schema)\//.test(file) ? text.split('\n').filter(isCompared) : [];
    return lines.map((line) => `${file}: ${line.trim()}`);
  });
  expect(comparisons).toEqual(Object.keys(trustedComparisons));
});

/** Returns the number of bytes of each comparison in constant time during `work`. */
async function countComparedBytes(work: () => unknown): Promise<number[]> {
  const spy = vi.spyOn(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  try {
    await work();
    return spy.mock.calls.map(([a]) => a.byteLength);
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
}

test('The secret of an API key is compared in constant time, whether it is right, wrong or of an unknown key', async ({
  app,
  merchant,
}) => {
  const { apiKey, apiSecret } = merchant.keys.live;
  const sent = [
    [apiKey, apiSecret, 200],
    [apiKey, `${apiSecret.slice(0, -1)}~`, 401],
    ['ck_live_unknown', apiSecret, 401],
  ] as const;
  for (const [key, secret, status] of sent) {
    const headers = { authorization: basicAuth({ ...merchant.keys.live, apiKey: key, apiSecret: secret }) };
    const compared = await countComparedBytes(async () =>
      expect((await app.app.inject({ url: '/charges', headers })).statusCode).toBe(status),
    );
    expect([key, compared]).toEqual([key, [32]]);
  }
});

test('Texts of any length are compared in constant time by hashes of the same length', async () => {
  for (const [a, b, isSame] of [
    ['123456', '123456', true],
    ['123456', '923456', false],
    ['123456', '12345', false],
  ] as const)
    expect(await countComparedBytes(() => expect(isSameText(a, b)).toBe(isSame))).toEqual([32]);
});

test('A private notifyUrl is rejected by every operation where private targets are not allowed', async ({
  app,
  merchant,
}) => {
  const { settings } = app.context.service;
  const { live } = merchant.keys;
  const post = (url: string, body: object) => callApi(app.app, { method: 'POST', url, keys: live, body });
  const charge = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  settings.allowPrivateTargets = false;
  try {
    for (const host of ['169.254.169.254', '[::ffff:10.0.0.1]', '0x7f.1', 'localhost.']) {
      const notifyUrl = `https://${host}/`;
      const rejected = { code: 'target_refused', errors: [{ path: '/notifyUrl' }] };
      const charged = await post('/charges', { ...charge, notifyUrl });
      expect([charged.status, charged.json]).toMatchObject([422, rejected]);
      const session = await post('/sessions', { amount: 5, currency: 'HKD', notifyUrl });
      expect([session.status, session.json]).toMatchObject([400, rejected]);
      const address = { apiKey: live.publishableKey, amount: '5', currency: 'HKD', notifyUrl };
      const query = new URLSearchParams(address);
      expect((await app.app.inject(`/checkout?${query}`)).statusCode).toBe(422);
    }
    const elsewhere = { ...charge, notifyUrl: 'https://shop.example/paid' };
    expect((await post('/charges', elsewhere)).status).toBe(201);
  } finally {
    settings.allowPrivateTargets = true;
  }
});

test('Links start with PUBLIC_URL for every host of a request', async ({ app, merchant }) => {
  for (const headers of [
    { host: 'elsewhere.example' },
    { 'x-forwarded-host': 'elsewhere.example', forwarded: 'host=elsewhere.example' },
  ]) {
    const { text, status } = await callApi(app.app, {
      ...{ method: 'POST', url: '/checkout-link', keys: merchant.keys.live, headers },
      body: { amount: 5, currency: 'HKD', apiKey: merchant.keys.live.publishableKey },
    });
    expect(status).toBe(200);
    expect(text).toContain('http://127.0.0.1:4000/checkout');
    expect(text).not.toContain('elsewhere.example');
    const page = await app.app.inject({ url: '/checkout?lang=th', headers });
    expect(page.body + JSON.stringify(page.headers)).not.toContain('elsewhere.example');
    const dashboard = await app.app.inject({ url: '/dashboard', headers });
    expect(dashboard.body + JSON.stringify(dashboard.headers)).not.toContain('elsewhere.example');
  }
});

test('GraphQL rejects an invalid Host', async ({ app, merchant }) => {
  const headers = { host: 'localhost:99999', authorization: basicAuth(merchant.keys.live) };
  const response = await app.app.inject({ url: '/graphql?query={me{id}}', headers });
  expect([response.statusCode, response.json().errors[0].extensions.code]).toEqual([400, 'invalid_request']);
});

test.each([
  ['https://pay.example', 'max-age=31536000'],
  ['http://127.0.0.1:4000', undefined],
])('Strict-Transport-Security is sent when PUBLIC_URL is https: %s', async (publicUrl, expected) => {
  const served = Fastify();
  setSecurityHeaders(served, {
    settings: { publicUrl, allowPrivateTargets: false, exchangeRateFeeds: [], checkoutChargesMax: 500 },
  });
  served.get('/', async () => 'ok');
  const { headers } = await served.inject('/');
  await served.close();
  expect(headers['strict-transport-security']).toBe(expected);
});

test.for([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
  { host: 'pay.example' },
])('Metrics without a token return 403 to a proxy on this machine: %o', async (headers, { app }) => {
  expect((await app.app.inject({ url: '/metrics', headers })).statusCode).toBe(403);
});

test.for([
  ['127.0.0.1', 403],
  ['127.0.0.0/8', 403],
  ['::1', 403],
  ['loopback', 403],
  ['10.0.0.5', 200],
  ['uniquelocal', 200],
] as const)(
  'Metrics without a token depend on TRUST_PROXY, which may include this machine: %s',
  async ([proxy, expected], { app }) => {
    const { options } = app.context;
    options.trustProxy = [proxy];
    try {
      expect((await app.app.inject({ url: '/metrics' })).statusCode).toBe(expected);
    } finally {
      options.trustProxy = [];
    }
  },
);

test('The log of a request is one line without query, headers and page tokens', async () => {
  let lines = '';
  const stream = new Writable({
    write(chunk, _, done) {
      lines += chunk;
      done();
    },
  });
  const logged = Fastify({ loggerInstance: createLogger('info', stream) });
  logged.get('/*', async () => 'ok');
  for (const url of [
    '/pay/invoice/in_1.secret-token/pdf?lang=th',
    '/checkout?charge=ch_1.secret-token',
    '/a%0Asecret-line',
  ])
    await logged.inject({ url, headers: { authorization: 'Basic secret-token' } });
  await logged.close();
  expect(lines).not.toContain('secret-token');
  expect(lines).toContain('"path":"/pay/invoice/…/pdf"');
  for (const line of lines.trim().split('\n')) expect(JSON.parse(line)).toBeTruthy();
});

test('The log of an error contains neither the row that PostgreSQL rejected nor the arguments', async () => {
  let logged = '';
  const log = createLogger('trace', {
    write: (line) => {
      logged += line;
    },
  });
  const { app: served, context } = await setupApp(onTestFinished, { log });
  const { service } = context;
  const { keys } = await seedMerchant(service, {}, new Date());
  await service.pool.query(`ALTER TABLE charge ADD CONSTRAINT no_more CHECK (email IS NULL) NOT VALID;
    ALTER TABLE checkout_session ADD CONSTRAINT no_more CHECK (customer IS NULL) NOT VALID`);
  const customer = { email: 'zebedee.quill@example.org', firstName: 'Zebedee' };
  const post = (url: string, body: object) => callApi(served, { method: 'POST', url, keys: keys.live, body });
  const terms = { merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps', email: customer.email };
  expect((await post('/charges', terms)).status).toBe(500);
  expect((await post('/sessions', { amount: 5, currency: 'HKD', customer })).status).toBe(500);
  const { prisma } = service;
  for (const work of [
    () => prisma.customer.create({ data: { id: 'cus_1', email: customer.email } as never }),
    () => prisma.customer.findMany({ where: { email: { startsWith: customer.email, no: 1 } as never } }),
    () => prisma.$queryRaw`SELECT ${customer.email}::int`,
  ])
    await work().catch((err: Error) => log.error({ err: new Error('in a job', { cause: err }) }, 'failed'));
  expect(logged.match(/violates check constraint \\"no_more\\"/g)?.length).toBeGreaterThanOrEqual(2);
  expect(logged.match(/"type":"PrismaClientValidationError"/g)).toHaveLength(2);
  expect(logged.toLowerCase()).not.toContain('zebedee');
});

const unknownObjectsTest = fileTest
  .extend('app', { scope: 'file' }, ({ onFileCleanup }) =>
    setupFullApp(onFileCleanup, { clock: createFakeClock(noon) }),
  )
  .extend('pages', { scope: 'file' }, async ({ app }): Promise<Pages> => {
    const ids = await seedOneOfEachType(app);
    const { prisma } = app.context.service;
    return {
      enrol: await prisma.subscriptionLink.findFirstOrThrow(),
      invoice: await prisma.invoice.findUniqueOrThrow({ where: { id: ids.invoice! } }),
      poster: await prisma.checkoutLink.findFirstOrThrow(),
      refund: await prisma.refund.findUniqueOrThrow({ where: { id: ids.refund! } }),
      subscription: await prisma.subscription.findUniqueOrThrow({ where: { id: ids.subscription! } }),
    };
  });

/** Equal responses do not reveal which objects exist. */
type Pages = Record<PageKind, { id: string }>;

describe('Unknown objects and wrong tokens', () => {
  type FullApp = Awaited<ReturnType<typeof setupFullApp>>;
  const test = unknownObjectsTest;

  const nouns: Record<PageKind, IdType> = {
    enrol: 'subscriptionLink',
    invoice: 'invoice',
    poster: 'checkoutLink',
    refund: 'refund',
    subscription: 'subscription',
  };
  const kinds = Object.keys(nouns) as PageKind[];
  const shortLink = '/pay/c/:token';
  const getPageKind = ({ url }: Route) => url.split('/')[2] as PageKind;

  async function requestPage(app: FullApp, { method, url }: Pick<Route, 'method' | 'url'>, token: string) {
    const post = method === 'POST' && {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: 'do=cancel&method=fps&email=ada@example.com&List-Unsubscribe=One-Click',
    };
    const { statusCode, body, headers } = await app.app.inject({
      method: method as 'GET' | 'POST',
      url: url.replace(':token', token),
      ...post,
    });
    const { 'content-length': _, date: __, ...otherHeaders } = headers;
    // The page contains its own URL in the links to other languages.
    return { statusCode, headers: otherHeaders, body: body.replaceAll(token, '<token>') };
  }

  /** Without the short link of an SMS, which has a token of its own. */
  const listPageRoutes = (app: FullApp) =>
    app.routes.filter(({ url }) => url.includes(':token') && url !== shortLink);
  const inLive = (id: string) => ({ id, mode: 'live' }) as const;
  const sign = (app: FullApp, kind: PageKind, id: string, linkVersion = 0) =>
    createPageToken(app.context.service.secrets, kind, { id, mode: 'live', linkVersion });

  describe('on pages with a token in the path', () => {
    test('are those of this test', ({ app }) => {
      expect([...new Set(listPageRoutes(app).map(getPageKind))].sort()).toEqual([...kinds].sort());
    });

    test('cause equal responses for every kind of wrong token', async ({ app, pages }) => {
      for (const route of listPageRoutes(app)) {
        const kind = getPageKind(route);
        const { id } = pages[kind];
        const unknown = newId(nouns[kind], noon);
        const [, signature] = sign(app, kind, id).split('.');
        const other = kinds.find((candidate) => candidate !== kind)!;
        const expected = await requestPage(app, route, `${unknown}.${signature}`);
        expect([route, expected.statusCode]).toEqual([route, 404]);
        expect(expected.body).toContain('We can’t find this payment');
        for (const token of [
          `${id}.${signature?.slice(0, -2)}xx`,
          `${id}.${signature}.x`,
          `${id}.x`,
          `${id}.`,
          id,
          sign(app, other, id),
          sign(app, kind, id, 1),
          sign(app, kind, id, -1),
          sign(app, kind, unknown),
          sign(app, other, unknown),
          unknown,
        ])
          expect(await requestPage(app, route, token)).toEqual(expected);
      }
    });

    test('cause equal responses for every wrong short link', async ({ app, pages }) => {
      const route = { method: 'GET', url: shortLink };
      const expected = await requestPage(app, route, 'nothing');
      expect(expected.statusCode).toBe(404);
      const { id } = pages.subscription;
      const signed = sign(app, 'subscription', id);
      for (const token of [
        id,
        signed,
        `${id.split('_')[1]}.zzzzz.${'x'.repeat(16)}`,
        `${'0'.repeat(26)}.htgk0.${'x'.repeat(16)}`,
      ])
        expect(await requestPage(app, route, token)).toEqual(expected);
    });

    test('return 410 only for a token that was valid', async ({ app, pages }) => {
      const { prisma } = app.context.service;
      for (const [kind, table] of [
        ['invoice', prisma.invoice],
        ['refund', prisma.refund],
        ['subscription', prisma.subscription],
      ] as const) {
        const where = { id: pages[kind].id };
        await (table as typeof prisma.refund).update({ where, data: { linkVersion: 2 } });
      }
      for (const route of listPageRoutes(app)) {
        const kind = getPageKind(route);
        // Posters and enrolment links have no versions.
        if (kind === 'poster' || kind === 'enrol') continue;
        const { id } = pages[kind];
        for (const generation of [0, 1])
          expect((await requestPage(app, route, sign(app, kind, id, generation))).statusCode).toBe(410);
        const expected = await requestPage(app, route, `${newId(nouns[kind], noon)}.x`);
        expect(await requestPage(app, route, `${id}.x`)).toEqual(expected);
        expect(await requestPage(app, route, sign(app, kind, id, 3))).toEqual(expected);
      }
    });
  });

  test('cause equal responses on the checkout page of a charge', async ({ app }) => {
    const { secrets } = app.context.service;
    const { id } = await seedCharge(app.context.service, app.merchant);
    const unknown = newId('charge', noon);
    for (const path of ['/checkout', '/checkout/live', '/checkout/qr.png']) {
      const route = { method: 'GET', url: `${path}?charge=:token` };
      const expected = await requestPage(app, route, `${unknown}.x`);
      expect(expected.statusCode).toBe(404);
      for (const token of [
        `${id}.x`,
        id,
        createClientToken(secrets, inLive(unknown)),
        `${id}.${createCancelToken(secrets, inLive(id))}`,
      ])
        expect(await requestPage(app, route, token)).toEqual(expected);
    }
  });

  test('cause equal responses for client tokens and cancel tokens', async ({ app }) => {
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
});

describe('Test clock', () => {
  const test = fakeTimeGraphqlTest.extend('merchant', ({ service }) => seedMerchant(service));

  const advance = (merchant: NewMerchant, clock: FakeClock, service: Service, to: Date) =>
    advanceTestClock(service, {
      merchantId: merchant.merchant.id,
      mode: 'sandbox',
      advanceTo: to,
      clock,
    });

  const end = new Date('2100-01-01T00:00:00.000Z');
  const decades = [2036, 2046, 2056, 2066, 2076, 2086, 2096].map(
    (year) => new Date(`${year}-11-01T00:00:00Z`),
  );

  test('advances to 2100 and not a millisecond further, and the error contains the limit', async ({
    merchant,
    clock,
    service,
  }) => {
    for (const to of decades) await advance(merchant, clock, service, to);
    for (const to of [new Date(end.getTime() + 1), new Date('2101-01-01T00:00:00Z')]) {
      await expect(advance(merchant, clock, service, to)).rejects.toMatchObject({
        code: 'invalid_request',
        status: 400,
        inputErrors: [{ path: '/advanceTo', message: 'must not be after 2100-01-01T00:00:00.000Z' }],
      });
    }
    const moved = await advance(merchant, clock, service, end);
    expect(merchantNow(noon, moved, 'sandbox')).toEqual(end);
    await expect(advance(merchant, clock, service, new Date(end.getTime() + 1))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  test('at its end leaves the sandbox usable', async ({ app, clock, merchant, service }) => {
    for (const to of [...decades, end]) await advance(merchant, clock, service, to);
    const keys = merchant.keys.sandbox;
    const session = await callApi(app.app, {
      keys,
      method: 'POST',
      url: '/sessions',
      body: { amount: 5, currency: 'HKD' },
    });
    expect(session.status).toBe(201);
    const charge = await seedCharge(service, merchant, { mode: 'sandbox', now: end });
    const read = await callApi(app.app, { keys, method: 'GET', url: `/charges/${charge.id}` });
    expect(read).toMatchObject({ status: 200, json: { createdAt: '2100-01-01T00:00:00.000Z' } });
  });
});
