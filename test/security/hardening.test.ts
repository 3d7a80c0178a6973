import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { beforeAll, expect, test, vi } from 'vitest';
import { readSources } from '../../scripts/import-graph.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { setSecurityHeaders } from '../../src/http/security-headers.ts';
import { createLogger } from '../../src/kit/log.ts';
import { isSameText } from '../../src/kit/secrets.ts';
import { basicAuth, callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedMerchant } from '../setup/seed.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await setupApp(onCleanup);
  merchant = await seedMerchant(app.context.service, {}, new Date());
});

/** Comparisons that are no guess of anybody’s, each with its reason. */
const ownComparisons: Record<string, string> = {
  'src/domain/platform/secrets/data-keys.ts: if (sources.appSecret === undefined && (await readAppSecret(sources.dataDir)) !== secret)':
    'the operator’s own secret with the file that contains it',
};

test('no secret, token, code or hash is compared letter by letter', () => {
  const secret = String.raw`(?:\w+\.)*(?:secret|token|password|signature|codeHash|secretHash|tokenHash|passwordHash|totpCode\([^)]*\))\b`;
  const compares = new RegExp(
    String.raw`\b${secret} [!=]== (?!undefined|null|''|"")\S|\S [!=]== ${secret}(?![.(])`,
  );
  const isCompared = (line: string) =>
    compares.test(line) && !/(?:undefined|null|''|0|kind|typeof) [!=]== /.test(line);
  expect(isCompared('if (given.secret === key.secret)')).toBe(true);
  expect(isCompared('if (token === undefined)')).toBe(false);
  const found = [...readSources()].flatMap(([file, text]) => {
    const lines = /^(?:src|schema)\//.test(file) ? text.split('\n').filter(isCompared) : [];
    return lines.map((line) => `${file}: ${line.trim()}`);
  });
  expect(found).toEqual(Object.keys(ownComparisons));
});

/** How many bytes each comparison in constant time has compared while `work` ran. */
async function comparedBytes(work: () => unknown): Promise<number[]> {
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

test('The secret of an API key is compared in constant time, whether it is right, wrong or of an unknown key', async () => {
  const { apiKey, apiSecret } = merchant.keys.live;
  const sent = [
    [apiKey, apiSecret, 200],
    [apiKey, `${apiSecret.slice(0, -1)}~`, 401],
    ['ck_live_unknown', apiSecret, 401],
  ] as const;
  for (const [key, secret, status] of sent) {
    const headers = { authorization: basicAuth({ ...merchant.keys.live, apiKey: key, apiSecret: secret }) };
    const compared = await comparedBytes(async () =>
      expect((await app.app.inject({ url: '/charges', headers })).statusCode).toBe(status),
    );
    // The two SHA-256 hashes in hexadecimal.
    expect([key, compared]).toEqual([key, [64]]);
  }
});

test('Texts of any length are compared in constant time by hashes of the same length', async () => {
  for (const [a, b, isSame] of [
    ['123456', '123456', true],
    ['123456', '923456', false],
    ['123456', '12345', false],
  ] as const)
    expect(await comparedBytes(() => expect(isSameText(a, b)).toBe(isSame))).toEqual([32]);
});

test('a notifyUrl that is plainly private is refused at every door where private targets are not allowed', async () => {
  const { settings } = app.context.service;
  const { live } = merchant.keys;
  const post = (url: string, body: object) => callApi(app.app, { method: 'POST', url, keys: live, body });
  const charge = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  settings.allowPrivateWebhookUrls = false;
  try {
    for (const host of ['169.254.169.254', '[::ffff:10.0.0.1]', '0x7f.1', 'localhost.']) {
      const notifyUrl = `https://${host}/`;
      const refused = { code: 'target_refused', errors: [{ path: '/notifyUrl' }] };
      const made = await post('/charges', { ...charge, notifyUrl });
      expect([made.status, made.json]).toMatchObject([422, refused]);
      const session = await post('/sessions', { amount: 5, currency: 'HKD', notifyUrl });
      expect([session.status, session.json]).toMatchObject([400, refused]);
      const address = { apiKey: live.publishableKey, amount: '5', currency: 'HKD', notifyUrl };
      const query = new URLSearchParams(address);
      expect((await app.app.inject(`/checkout?${query}`)).statusCode).toBe(422);
    }
    const elsewhere = { ...charge, notifyUrl: 'https://shop.example/paid' };
    expect((await post('/charges', elsewhere)).status).toBe(201);
  } finally {
    settings.allowPrivateWebhookUrls = true;
  }
});

test('links are made of PUBLIC_URL alone, whatever host a request names', async () => {
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

test('a Host that is none is refused, by GraphQL too', async () => {
  const headers = { host: 'localhost:99999', authorization: basicAuth(merchant.keys.live) };
  const answer = await app.app.inject({ url: '/graphql?query={me{id}}', headers });
  expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([400, 'invalid_request']);
});

test.each([
  ['https://pay.example', 'max-age=31536000'],
  ['http://127.0.0.1:4000', undefined],
])('browsers come back by https alone where PUBLIC_URL is https: %s', async (publicUrl, expected) => {
  const served = Fastify();
  setSecurityHeaders(served, {
    settings: { publicUrl, allowPrivateWebhookUrls: false, exchangeRateFeeds: [], checkoutChargesMax: 500 },
  });
  served.get('/', async () => 'ok');
  const { headers } = await served.inject('/');
  await served.close();
  expect(headers['strict-transport-security']).toBe(expected);
});

test.each([
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-real-ip': '203.0.113.9' },
  { forwarded: 'for=203.0.113.9' },
  { via: '1.1 proxy' },
  { host: 'pay.example' },
])('metrics without a token are not for whom a proxy on this machine asks: %o', async (headers) => {
  expect((await app.app.inject({ url: '/metrics', headers })).statusCode).toBe(403);
});

test.each([
  ['127.0.0.1', 403],
  ['127.0.0.0/8', 403],
  ['::1', 403],
  ['loopback', 403],
  ['10.0.0.5', 200],
  ['uniquelocal', 200],
])('nor for anybody where TRUST_PROXY names this machine: %s', async (proxy, expected) => {
  const { options } = app.context;
  options.trustProxy = [proxy];
  try {
    expect((await app.app.inject({ url: '/metrics' })).statusCode).toBe(expected);
  } finally {
    options.trustProxy = [];
  }
});

test('the log of a request has no query, no header and no token of a page, in one line', async () => {
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

test('of an error the log tells what it is, and not the row that PostgreSQL refused, or the values of the call', async () => {
  let logged = '';
  const log = createLogger('trace', {
    write: (line) => {
      logged += line;
    },
  });
  const { app: served, context } = await setupApp(onCleanup, { log });
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
  for (const fault of [
    () => prisma.customer.create({ data: { id: 'cus_1', email: customer.email } as never }),
    () => prisma.customer.findMany({ where: { email: { startsWith: customer.email, no: 1 } as never } }),
    () => prisma.$queryRaw`SELECT ${customer.email}::int`,
  ])
    await fault().catch((err: Error) => log.error({ err: new Error('in a job', { cause: err }) }, 'failed'));
  expect(logged.match(/violates check constraint \\"no_more\\"/g)?.length).toBeGreaterThanOrEqual(2);
  expect(logged.match(/"type":"PrismaClientValidationError"/g)).toHaveLength(2);
  expect(logged.toLowerCase()).not.toContain('zebedee');
});
