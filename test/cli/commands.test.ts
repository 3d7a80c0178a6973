import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signIn } from '../../src/domain/accounts/user/sign-in.ts';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { askCli, runCli, spawnCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await setupApp(onCleanup);
  env = { DATABASE_URL: app.connectionString, APP_SECRET: testAppSecret };
});

const terms = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

async function signsIn(email: string, password: string): Promise<string> {
  const from = { address: '192.0.2.1', now: new Date(), wait: async () => {} };
  const { user } = await signIn(app.context.service, { email, password, ...from });
  return user.role;
}

describe('merchants and users', () => {
  test('a merchant is made with keys of both modes, which open the REST routes; granting opens the restricted ones', async () => {
    const made = await askCli(env, 'merchant', 'create', '--name', 'Peak Coffee', '--accounts', 'demo');
    expect(Object.keys(made)).toEqual(['merchantId', 'live', 'sandbox', 'certificate', 'email', 'password']);
    expect(made.merchantId).toMatch(/^mer_/);
    expect(made.live).toMatchObject({
      apiKey: expect.stringMatching(/^ck_live_/),
      apiSecret: expect.stringMatching(/^cs_live_/),
      publishableKey: expect.stringMatching(/^pk_live_/),
    });
    expect(made.certificate).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(made.live.certificate).toBe(made.certificate);
    expect(made.sandbox.certificate).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(made.sandbox.certificate).not.toBe(made.certificate);
    expect(await signsIn(made.email, made.password)).toBe('owner');

    const methods = await callApi(app.app, { method: 'GET', url: '/methods', keys: made.live });
    expect(methods.json.flatMap((entry: { methods: unknown[] }) => entry.methods)).toHaveLength(13);
    const create = () => callApi(app.app, { method: 'POST', url: '/charges', keys: made.live, body: terms });
    expect((await create()).json).toMatchObject({ status: 403, code: 'restricted_endpoint' });
    expect(await askCli(env, 'merchant', 'grant', made.merchantId)).toEqual({
      merchantId: made.merchantId,
      restrictedAccess: 'granted',
    });
    expect((await create()).status).toBe(201);
  });

  test('--email and --restricted; without --accounts there are live methods only when the merchant adds accounts', async () => {
    const options = ['--name', 'Kiosk', '--email', 'Kim@Kiosk.example', '--restricted', 'granted'];
    const made = await askCli(env, 'merchant', 'create', ...options);
    expect(made.email).toBe('Kim@Kiosk.example');
    const live = await callApi(app.app, { method: 'GET', url: '/methods', keys: made.live });
    expect(live.json).toEqual([]);
    const sandbox = { method: 'POST', url: '/charges', keys: made.sandbox, body: terms } as const;
    expect((await callApi(app.app, sandbox)).status).toBe(201);

    const taken = await runCli(env, ['merchant', 'create', ...options, '--json']);
    expect(taken.code).toBe(1);
    expect(taken.json.error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/email' }] });
  });

  test('operators and users are made with a password, and given another one, which ends the old', async () => {
    const operator = await askCli(env, 'operator', 'create', '--email', 'olga@example.com');
    expect(await signsIn('olga@example.com', operator.password)).toBe('operator');

    const { merchant } = await seedMerchant(app.context.service);
    const options = ['--merchant', merchant.id, '--email', 'sam@example.com', '--role', 'support'];
    const user = await askCli(env, 'user', 'create', ...options);
    expect(await signsIn('sam@example.com', user.password)).toBe('support');

    const reset = await askCli(env, 'user', 'reset', 'sam@example.com');
    expect(await signsIn('sam@example.com', reset.password)).toBe('support');
    await expect(signsIn('sam@example.com', user.password)).rejects.toMatchObject({
      code: 'permission_denied',
    });

    const { secrets } = app.context.service;
    const totpEncrypted = secrets.encrypt(newTotpSecret(), 'merchant_user.totp_encrypted', user.userId);
    const where = { email: 'sam@example.com' };
    await app.context.service.prisma.merchantUser.updateMany({ where, data: { totpEncrypted } });
    await expect(signsIn('sam@example.com', reset.password)).rejects.toMatchObject({
      code: 'second_factor_required',
    });
    const opened = await askCli(env, 'user', 'reset-second-factor', 'sam@example.com');
    expect(opened).toEqual({ userId: user.userId, email: 'sam@example.com' });
    expect(await signsIn('sam@example.com', reset.password)).toBe('support');
  });
});

test('rates are imported from the ECB’s XML and from JSON, and serve live conversions', async () => {
  const { keys } = await seedMerchant(app.context.service, { demoAccounts: false });
  const convert = async () => {
    const url = '/forex?sourceCurrency=USD&sourceAmount=100&destinationCurrency=HKD';
    return (await callApi(app.app, { method: 'GET', url, keys: keys.live })).json;
  };
  expect(await convert()).toMatchObject({ code: 'rate_unavailable' });

  const folder = await createTempDir(onTestFinished);
  const today = new Date().toISOString().slice(0, 10);
  const xml = join(folder, 'eurofxref-daily.xml');
  await writeFile(
    xml,
    `<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
      <Cube><Cube time='${today}'><Cube currency='USD' rate='1.25'/><Cube currency='HKD' rate='10'/></Cube></Cube>
    </gesmes:Envelope>`,
  );
  expect(await askCli(env, 'rates', 'import', xml)).toEqual({
    asOf: `${today}T00:00:00.000Z`,
    currencies: ['HKD', 'USD'],
  });
  expect(await convert()).toEqual({ amount: 800, rate: 8 });

  const json = join(folder, 'rates.json');
  await writeFile(
    json,
    JSON.stringify({ base: 'USD', date: `${today}T12:00:00Z`, rates: { EUR: 0.8, HKD: 7.5 } }),
  );
  await askCli(env, 'rates', 'import', json);
  expect(await convert()).toEqual({ amount: 750, rate: 7.5 });

  await writeFile(json, '{"base":"USD","date":"yesterday","rates":{"HKD":7}}');
  const refused = await runCli(env, ['rates', 'import', json, '--json']);
  expect(refused).toMatchObject({ code: 1, json: { error: { code: 'invalid_request' } } });
  expect(await convert()).toEqual({ amount: 750, rate: 7.5 });
});

test('check says ok, and finds a row that breaks a promise: then it exits with 1', async () => {
  const charge = await seedCharge(app.context.service, await seedMerchant(app.context.service));
  expect(await askCli(env, 'check')).toEqual({ ok: true, violations: [] });

  await app.context.service.pool.query('UPDATE charge SET amount_received = 1 WHERE id = $1', [charge.id]);
  const { code, json } = await runCli(env, ['check', '--json']);
  expect(code).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    violations: [{ name: 'charge_received', count: 1, examples: [charge.id] }],
  });
  const text = await spawnCli(env, ['check']);
  expect(text).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`^FAILED: .*${charge.id}`)),
  });
  await app.context.service.pool.query('UPDATE charge SET amount_received = 0 WHERE id = $1', [charge.id]);
});

test('demo makes the demo merchant once, and prints its keys or lines to paste', async () => {
  const demoEnv = { ...env, DATA_DIR: await createTempDir(onTestFinished), DEMO: 'true', PORT: '4321' };
  const demo = await askCli(demoEnv, 'demo');
  expect(demo).toMatchObject({ email: 'owner@demo.example', webhook: { username: 'demo' } });
  const { stdout } = await runCli(demoEnv, ['demo']);
  expect(stdout).toContain(`AUTH='${demo.live.apiKey}:${demo.live.apiSecret}'; URL='http://127.0.0.1:4321'`);
  expect(await app.context.service.prisma.merchant.count({ where: { name: { contains: 'demo' } } })).toBe(1);
  // Where the service listens, only the service knows: its webhooks stay where they are.
  await askCli({ ...demoEnv, PORT: '4322' }, 'demo');
  const webhooks = await app.context.service.prisma.webhook.findMany({
    where: { merchantId: demo.merchantId },
  });
  expect(webhooks.map(({ mode, url }) => [mode, url]).sort()).toEqual([
    ['live', 'http://127.0.0.1:4321/demo/webhook'],
    ['sandbox', 'http://127.0.0.1:4321/demo/webhook'],
  ]);
});

test('a customer is exported and erased by id', async () => {
  const input = { email: 'eve@example.com' };
  const charge = await seedCharge(app.context.service, await seedMerchant(app.context.service), { input });
  const found = await askCli(env, 'customer', 'export', charge.customerId);
  expect(found).toMatchObject({ customer: { email: 'eve@example.com' }, charges: [{ id: charge.id }] });
  expect(await askCli(env, 'customer', 'erase', charge.customerId)).toMatchObject({ erased: { charges: 1 } });
  const after = await askCli(env, 'customer', 'export', charge.customerId);
  expect(JSON.stringify(after)).not.toContain('eve@example.com');
});
