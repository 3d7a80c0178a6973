import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mode } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import { parseRedirectUrl } from '../../src/domain/target-url.ts';
import { answerSafely } from '../../src/http/safe-headers.ts';
import { makeLog } from '../../src/kit/log.ts';
import { makeSecrets } from '../../src/kit/secrets.ts';
import { basic, callApi } from '../setup/api.ts';
import { type TestApp, testApp } from '../setup/app.ts';
import { makeMerchant } from '../setup/makers.ts';

let app: TestApp;
let merchant: NewMerchant;

beforeAll(async () => {
  app = await testApp();
  merchant = await makeMerchant(app.context.service, {}, new Date());
});

test('no secret, token, code or hash is compared letter by letter', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = [
    'src/domain',
    'src/rest',
    'src/http',
    'src/pages',
    'src/kit',
    'src/message',
    'src/notification',
    'schema',
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const secret = String.raw`(?:\w+\.)*(?:secret|token|password|signature|codeHash|secretHash|tokenHash|passwordHash|totpCode\([^)]*\))\b`;
  const compares = new RegExp(
    String.raw`\b${secret} [!=]== (?!undefined|null|''|"")\S|\S [!=]== ${secret}(?![.(])`,
  );
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => compares.test(line) && !/(?:undefined|null|''|0|kind|typeof) [!=]== /.test(line))
      .map((line) => `${file.slice(root.length)}: ${line.trim()}`),
  );
  expect(found).toEqual([]);
});

describe('the address that a customer goes back to', () => {
  const options = {
    redirectSchemes: ['shop.app', 'javascript'],
    allowPrivateTargets: false,
  } as const;
  const parse = (text: string, mode: Mode = 'live') =>
    parseRedirectUrl(text, {
      ...options,
      mode,
      redirectSchemes: [...options.redirectSchemes],
    });

  test.each(['https://shop.example/back?x=1', 'shop.app://done'])('may be %s', (text) => {
    expect(parse(text)).toBe(text);
  });

  test('may be http in the sandbox alone', () => {
    expect(parse('http://shop.example/', 'sandbox')).toBe('http://shop.example/');
    expect(() => parse('http://shop.example/')).toThrow('must be an https address');
  });

  test.each([
    'https://shop.example@elsewhere.example/',
    'https://user:password@shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/x',
    '//elsewhere.example',
    '/back',
    'other.app://done',
  ])('may not be %j', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

test('a notifyUrl that is plainly private is refused at every door where private targets are not allowed', async () => {
  const { settings } = app.context.service;
  const { live } = merchant.keys;
  const post = (url: string, body: object) => callApi(app.app, { method: 'POST', url, keys: live, body });
  const charge = { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' };
  settings.allowPrivateTargets = false;
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
    settings.allowPrivateTargets = true;
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
  const headers = { host: 'localhost:99999', authorization: basic(merchant.keys.live) };
  const answer = await app.app.inject({ url: '/graphql?query={me{id}}', headers });
  expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([400, 'invalid_request']);
});

test.each([
  ['https://pay.example', 'max-age=31536000'],
  ['http://127.0.0.1:4000', undefined],
])('browsers come back by https alone where PUBLIC_URL is https: %s', async (publicUrl, expected) => {
  const served = Fastify();
  answerSafely(served, { settings: { publicUrl, allowPrivateTargets: false, forexUrls: [] } });
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
  const logged = Fastify({ loggerInstance: makeLog('info', stream) });
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
  const log = makeLog('trace', {
    write: (line) => {
      logged += line;
    },
  });
  const { app: served, context } = await testApp({ log });
  const { service } = context;
  const { keys } = await makeMerchant(service, {}, new Date());
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

test('what is sealed is opened with its whole tag only', () => {
  const secrets = makeSecrets('x'.repeat(32));
  const [version, name, data = ''] = secrets.seal('a secret').split('.');
  const open = (bytes: Buffer) => secrets.unseal(`${version}.${name}.${bytes.toString('base64url')}`);
  const bytes = Buffer.from(data, 'base64url');
  for (const length of [12, 16, 20, 24, 27])
    expect(() => open(bytes.subarray(0, length))).toThrow(/auth|tag/i);
  expect(open(bytes)).toBe('a secret');
  // Of its initialisation, its tag and itself each byte counts.
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(() => open(changed), `byte ${at}`).toThrow(/authenticate/);
  }
});

test('with an https PUBLIC_URL the browser of a customer is known by a cookie that nobody else can set', async () => {
  const { settings } = app.context.service;
  const former = settings.publicUrl;
  const session = (
    await callApi(app.app, {
      method: 'POST',
      url: '/sessions',
      keys: merchant.keys.live,
      body: { amount: 5, currency: 'HKD' },
    })
  ).json;
  settings.publicUrl = 'https://pay.example';
  try {
    const claim = await app.app.inject({
      ...{ method: 'POST', url: `/checkout?sessionId=${session.id}`, payload: 'do=claim' },
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
    expect(claim.headers['set-cookie']).toMatch(
      /^__Host-causeway_browser=[\w-]{43}; .*Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  } finally {
    settings.publicUrl = former;
  }
});
