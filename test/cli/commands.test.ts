import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { onboardMerchant } from '../../src/domain/accounts/merchant/onboard-merchant.ts';
import { signIn } from '../../src/domain/accounts/user/sign-in.ts';
import { newTotpSecret } from '../../src/kit/totp.ts';
import { callApi } from '../setup/api.ts';
import { setupApp, type TestApp } from '../setup/app.ts';
import { fileTest } from '../setup/fixtures.ts';
import { startMailServer } from '../setup/mail-server.ts';
import { startReceiver } from '../setup/receiver.ts';
import { seedCharge, seedMerchant } from '../setup/seed.ts';
import { testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { callCli, runCli, spawnCli } from './run-cli.ts';

type CliApp = {
  app: TestApp;
  env: Record<string, string>;
};

const test = fileTest.extend('cli', { scope: 'file' }, async ({ onFileCleanup }) => {
  const cli = {} as CliApp;
  cli.app = await setupApp(onFileCleanup);
  cli.env = { DATABASE_URL: cli.app.connectionString, APP_SECRET: testAppSecret };
  return cli;
});

describe('Commands', () => {
  const terms = { email: 'ada@example.com', merchantAmount: 128.5, merchantCurrency: 'HKD', method: 'fps' };

  async function signInWith(cli: CliApp, email: string, password: string): Promise<string> {
    const from = { ipAddress: '192.0.2.1', now: new Date(), wait: async () => {} };
    const { user } = await signIn(cli.app.context.service, { email, password, ...from });
    return user.role;
  }

  describe('merchants and users', () => {
    test('merchant create prints keys of both modes for the REST API; merchant grant allows the restricted operations', async ({
      cli,
    }) => {
      const created = await callCli(
        cli.env,
        'merchant',
        'create',
        '--name',
        'Peak Coffee',
        '--accounts',
        'demo',
      );
      expect(Object.keys(created)).toEqual([
        'merchantId',
        'live',
        'sandbox',
        'certificate',
        'email',
        'password',
      ]);
      expect(created.merchantId).toMatch(/^mer_/);
      expect(created.live).toMatchObject({
        apiKey: expect.stringMatching(/^ck_live_/),
        apiSecret: expect.stringMatching(/^cs_live_/),
        publishableKey: expect.stringMatching(/^pk_live_/),
      });
      expect(created.certificate).toMatch(/^-----BEGIN PUBLIC KEY-----/);
      expect(created.live.certificate).toBe(created.certificate);
      expect(created.sandbox.certificate).toMatch(/^-----BEGIN PUBLIC KEY-----/);
      expect(created.sandbox.certificate).not.toBe(created.certificate);
      expect(await signInWith(cli, created.email, created.password)).toBe('owner');

      const methods = await callApi(cli.app.app, { method: 'GET', url: '/methods', keys: created.live });
      expect(methods.json.flatMap((entry: { methods: unknown[] }) => entry.methods)).toHaveLength(13);
      const create = () =>
        callApi(cli.app.app, { method: 'POST', url: '/charges', keys: created.live, body: terms });
      expect((await create()).json).toMatchObject({ status: 403, code: 'restricted_endpoint' });
      expect(await callCli(cli.env, 'merchant', 'grant', created.merchantId)).toEqual({
        merchantId: created.merchantId,
        restrictedAccess: 'granted',
      });
      expect((await create()).status).toBe(201);
    });

    test('merchant create accepts --email and --restricted, and without --accounts creates no live methods', async ({
      cli,
    }) => {
      const options = ['--name', 'Kiosk', '--email', 'Kim@Kiosk.example', '--restricted', 'granted'];
      const created = await callCli(cli.env, 'merchant', 'create', ...options);
      expect(created.email).toBe('Kim@Kiosk.example');
      const live = await callApi(cli.app.app, { method: 'GET', url: '/methods', keys: created.live });
      expect(live.json).toEqual([]);
      const sandbox = { method: 'POST', url: '/charges', keys: created.sandbox, body: terms } as const;
      expect((await callApi(cli.app.app, sandbox)).status).toBe(201);

      const duplicate = await runCli(cli.env, ['merchant', 'create', ...options, '--json']);
      expect(duplicate.code).toBe(1);
      expect(duplicate.json.error).toMatchObject({ code: 'invalid_request', errors: [{ path: '/email' }] });
    });

    test('commands create operators and users with a password, and replace it', async ({ cli }) => {
      const operator = await callCli(cli.env, 'operator', 'create', '--email', 'olga@example.com');
      expect(await signInWith(cli, 'olga@example.com', operator.password)).toBe('operator');

      const { merchant } = await seedMerchant(cli.app.context.service);
      const options = ['--merchant', merchant.id, '--email', 'sam@example.com', '--role', 'support'];
      const user = await callCli(cli.env, 'user', 'create', ...options);
      expect(await signInWith(cli, 'sam@example.com', user.password)).toBe('support');

      const reset = await callCli(cli.env, 'user', 'reset', 'sam@example.com');
      expect(await signInWith(cli, 'sam@example.com', reset.password)).toBe('support');
      await expect(signInWith(cli, 'sam@example.com', user.password)).rejects.toMatchObject({
        code: 'permission_denied',
      });

      const { secrets } = cli.app.context.service;
      const totpEncrypted = secrets.encrypt(newTotpSecret(), 'merchant_user.totp_encrypted', user.userId);
      const where = { email: 'sam@example.com' };
      await cli.app.context.service.prisma.merchantUser.updateMany({ where, data: { totpEncrypted } });
      await expect(signInWith(cli, 'sam@example.com', reset.password)).rejects.toMatchObject({
        code: 'two_factor_code_required',
      });
      const opened = await callCli(cli.env, 'user', 'disable-two-factor', 'sam@example.com');
      expect(opened).toEqual({ userId: user.userId, email: 'sam@example.com' });
      expect(await signInWith(cli, 'sam@example.com', reset.password)).toBe('support');
    });

    test('user reset names the open invitation of a person who is not a user yet', async ({ cli }) => {
      const { service } = cli.app.context;
      const { merchant } = await onboardMerchant(service, {
        name: 'Lion City Books',
        ownerEmail: 'lin@example.com',
        actor: 'operator',
        now: new Date(),
      });
      const reset = await runCli(cli.env, ['user', 'reset', 'Lin@example.com']);
      expect(reset.code).toBe(1);
      const create = `user create --merchant ${merchant.id} --email lin@example.com --role owner`;
      expect(reset.stderr).toContain(`To create the user with a password, run "${create}"`);
      const owner = await callCli(cli.env, ...create.split(' '));
      expect(await signInWith(cli, 'lin@example.com', owner.password)).toBe('owner');
    });
  });

  test('rates import reads the ECB’s XML and JSON for live conversions', async ({ cli }) => {
    const { keys } = await seedMerchant(cli.app.context.service, { hasDemoAccounts: false });
    const convert = async () => {
      const url = '/forex?sourceCurrency=USD&sourceAmount=100&destinationCurrency=HKD';
      return (await callApi(cli.app.app, { method: 'GET', url, keys: keys.live })).json;
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
    expect(await callCli(cli.env, 'rates', 'import', xml)).toEqual({
      asOf: `${today}T00:00:00.000Z`,
      currencies: ['HKD', 'USD'],
    });
    expect(await convert()).toEqual({ amount: 800, rate: 8 });

    const json = join(folder, 'rates.json');
    await writeFile(
      json,
      JSON.stringify({ base: 'USD', date: `${today}T12:00:00Z`, rates: { EUR: 0.8, HKD: 7.5 } }),
    );
    await callCli(cli.env, 'rates', 'import', json);
    expect(await convert()).toEqual({ amount: 750, rate: 7.5 });

    await writeFile(json, '{"base":"USD","date":"yesterday","rates":{"HKD":7}}');
    const rejected = await runCli(cli.env, ['rates', 'import', json, '--json']);
    expect(rejected).toMatchObject({ code: 1, json: { error: { code: 'invalid_request' } } });
    expect(await convert()).toEqual({ amount: 750, rate: 7.5 });
  });

  test('check reports ok, or a violated invariant with exit code 1', async ({ cli }) => {
    const charge = await seedCharge(cli.app.context.service, await seedMerchant(cli.app.context.service));
    expect(await callCli(cli.env, 'check')).toEqual({ ok: true, violations: [] });

    await cli.app.context.service.pool.query('UPDATE charge SET amount_received = 1 WHERE id = $1', [
      charge.id,
    ]);
    const { code, json } = await runCli(cli.env, ['check', '--json']);
    expect(code).toBe(1);
    expect(json).toMatchObject({
      ok: false,
      violations: [{ name: 'charge_received', count: 1, examples: [charge.id] }],
    });
    const text = await spawnCli(cli.env, ['check']);
    expect(text).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(new RegExp(`^FAILED: .*${charge.id}`)),
    });
    await cli.app.context.service.pool.query('UPDATE charge SET amount_received = 0 WHERE id = $1', [
      charge.id,
    ]);
  });

  test('check reports each connection whose commits do not wait for the disk', async ({ cli }) => {
    const database = new URL(cli.env.DATABASE_URL!).pathname.slice(1);
    const { pool } = cli.app.context.service;
    await pool.query(`ALTER DATABASE ${database} SET synchronous_commit = off`);
    onTestFinished(
      async () => void (await pool.query(`ALTER DATABASE ${database} RESET synchronous_commit`)),
    );
    const { code, json } = await runCli(cli.env, ['check', '--json']);
    expect(code).toBe(1);
    const example = expect.stringMatching(/^synchronous_commit = off in process \d+$/);
    expect(json.violations).toEqual([
      { name: 'durable_commits', promise: expect.any(String), count: 4, examples: Array(4).fill(example) },
    ]);
  });

  test('demo creates the demo merchant once, and prints its sign-in, keys and commands', async ({ cli }) => {
    const demoEnv = { ...cli.env, DATA_DIR: await createTempDir(onTestFinished), DEMO: 'true', PORT: '4321' };
    const demo = await callCli(demoEnv, 'demo');
    expect(demo).toMatchObject({ email: 'owner@demo.example', webhook: { username: 'demo' } });
    const { stdout } = await runCli(demoEnv, ['demo']);
    for (const text of [demo.password, demo.live.apiSecret, demo.sandbox.apiKey])
      expect(stdout).toContain(text);
    expect(stdout).toContain(
      `AUTH='${demo.live.apiKey}:${demo.live.apiSecret}'; URL='http://127.0.0.1:4321'`,
    );
    expect(
      await cli.app.context.service.prisma.merchant.count({ where: { name: { contains: 'demo' } } }),
    ).toBe(1);
    // Only the service knows its port, so that the command does not change the webhooks.
    await callCli({ ...demoEnv, PORT: '4322' }, 'demo');
    const webhooks = await cli.app.context.service.prisma.webhook.findMany({
      where: { merchantId: demo.merchantId },
    });
    expect(webhooks.map(({ mode, url }) => [mode, url]).sort()).toEqual([
      ['live', 'http://127.0.0.1:4321/demo/webhook'],
      ['sandbox', 'http://127.0.0.1:4321/demo/webhook'],
    ]);
  });

  test('customer commands export and erase a customer by id', async ({ cli }) => {
    const input = { email: 'eve@example.com' };
    const charge = await seedCharge(cli.app.context.service, await seedMerchant(cli.app.context.service), {
      input,
    });
    const exported = await callCli(cli.env, 'customer', 'export', charge.customerId);
    expect(exported).toMatchObject({ customer: { email: 'eve@example.com' }, charges: [{ id: charge.id }] });
    expect(await callCli(cli.env, 'customer', 'erase', charge.customerId)).toMatchObject({
      erased: { charges: 1 },
    });
    const after = await callCli(cli.env, 'customer', 'export', charge.customerId);
    expect(JSON.stringify(after)).not.toContain('eve@example.com');
  });
});

describe('Merchant commands', () => {
  test('decline access with a reason, and disable and enable operations and the account', async ({ cli }) => {
    const { merchant, keys } = await seedMerchant(cli.app.context.service, {}, new Date());
    const { id } = merchant;
    const readCode = async (url: string) => {
      const { status, json } = await callApi(cli.app.app, { method: 'GET', url, keys: keys.live });
      return status === 200 ? 200 : json.code;
    };
    const translations = '/translations?locale=en';
    expect(await readCode(translations)).toBe(200);
    expect(await callCli(cli.env, 'merchant', 'decline', id, '--reason', 'No volume yet')).toEqual({
      merchantId: id,
      restrictedAccess: 'none',
      reason: 'No volume yet',
    });
    expect(await readCode(translations)).toBe('restricted_endpoint');

    expect(await callCli(cli.env, 'merchant', 'disable-operation', id, 'charges', 'createRefund')).toEqual({
      merchantId: id,
      disabledOperations: ['charges', 'createRefund'],
    });
    expect([await readCode('/charges'), await readCode('/refunds')]).toEqual(['permission_denied', 200]);
    expect(await callCli(cli.env, 'merchant', 'enable-operation', id, 'charges')).toMatchObject({
      disabledOperations: ['createRefund'],
    });
    expect(await readCode('/charges')).toBe(200);

    await callCli(cli.env, 'merchant', 'disable', id);
    expect(await readCode('/charges')).toBe('account_disabled');
    await callCli(cli.env, 'merchant', 'enable', id);
    expect(await readCode('/charges')).toBe(200);
    const entries = await cli.app.context.service.prisma.auditEntry.findMany({
      where: { merchantId: id, actor: 'operator' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'merchant.created',
      'user.created',
      'access.declined',
      'operations.disabled',
      'operations.enabled',
      'merchant.disabled',
      'merchant.enabled',
    ]);
  });

  test('print names without control characters', async ({ cli }) => {
    const name = '\u001b]0;owned\u0007\u001b[2J\u009b31m\r\u202eAda';
    const created = await seedMerchant(cli.app.context.service);
    const merchantId = created.merchant.id;
    await cli.app.context.service.prisma.merchant.update({ where: { id: merchantId }, data: { name } });
    const { id, customerId } = await seedCharge(cli.app.context.service, created);
    await cli.app.context.service.prisma.charge.update({ where: { id }, data: { firstName: name } });
    for (const args of [
      ['customer', 'export', customerId],
      ['merchant', 'grant', merchantId],
      ['merchant', 'grant', name],
    ]) {
      for (const more of [[], ['--json']]) {
        const { stdout, stderr } = await runCli(cli.env, [...args, ...more]);
        expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
      }
    }
    expect((await callCli(cli.env, 'customer', 'export', customerId)).charges).toMatchObject([
      { firstName: name },
    ]);
  });

  test('report missing arguments and unknown operations', async ({ cli }) => {
    const { merchant } = await seedMerchant(cli.app.context.service, {}, new Date());
    const rejected = await runCli(cli.env, ['merchant', 'decline', merchant.id]);
    expect([rejected.code, rejected.stderr]).toEqual([2, expect.stringContaining('--reason is required')]);
    const unknown = await runCli(cli.env, [
      'merchant',
      'disable-operation',
      merchant.id,
      'chargse',
      '--json',
    ]);
    expect(unknown.code).toBe(1);
    expect(unknown.json.error).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: '/operations' }],
    });
    expect((await runCli(cli.env, ['merchant', 'disable-operation', merchant.id])).code).toBe(2);
  });
});

describe('Message commands', () => {
  describe('message test', () => {
    test('sends a mail by SMTP_URL and reports the result', async ({ cli }) => {
      await using server = await startMailServer();
      const set = {
        ...cli.env,
        SMTP_URL: `smtp://127.0.0.1:${server.port}`,
        MAIL_FROM: 'Pay <pay@shop.example>',
      };
      expect(await callCli(set, 'message', 'test', 'ada@example.com')).toEqual({
        to: 'ada@example.com',
        isSent: true,
      });
      expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.com']]);
      await server.stop();
      const { code, stdout } = await runCli(set, ['message', 'test', 'ada@example.com', '--json']);
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({
        isSent: false,
        error: 'the mail server cannot be reached (ECONNREFUSED)',
      });
    });

    test('posts an SMS to SMS_URL, signed with the key that secrets sms-key prints', async ({ cli }) => {
      await using gateway = await startReceiver();
      await callCli({ ...cli.env, SMS_URL: gateway.url }, 'message', 'test', '+85251234567');
      const { key } = await callCli(cli.env, 'secrets', 'sms-key');
      const { headers, body } = gateway.requests[0]!;
      expect(JSON.parse(body)).toMatchObject({ to: '+85251234567' });
      const signed = `${headers['causeway-timestamp']}.${body}`;
      const expected = createHmac('sha256', key).update(signed).digest('hex');
      expect(headers['causeway-signature']).toBe(`v1=${expected}`);
    });
  });
});

describe('Usage', () => {
  describe('error', () => {
    test.for([
      ['no such command', ['frobnicate'], 'Unknown command: frobnicate'],
      ['half a command', ['merchant'], 'Unknown command: merchant'],
      ['an unknown option', ['check', '--quick'], "Unknown option '--quick'"],
      ['a missing option', ['merchant', 'create'], '--name is required'],
      ['a missing argument', ['statement', 'import', '--account', 'acc_1'], 'FILE is required'],
      ['an argument too many', ['merchant', 'grant', 'mer_1', 'mer_2'], 'Unexpected argument: mer_2'],
    ] as const)('of %s has exit code 2, and JSON with --json', async ([_, args, message], { cli }) => {
      const { code, json } = await runCli(cli.env, [...args, '--json']);
      expect(code).toBe(2);
      expect(json).toEqual({ error: { code: 'usage', message: expect.stringContaining(message) } });
    });

    test('of an invalid option value is explained in the text', async ({ cli }) => {
      const { code, stderr } = await spawnCli(cli.env, [
        'merchant',
        'create',
        '--name',
        'X',
        '--restricted',
        'perhaps',
      ]);
      expect(code).toBe(2);
      expect(stderr).toContain('--restricted must be one of none, requested, granted');
      expect(stderr).toContain('merchant create --name N');
    });

    test('is JSON with --json, whether it is of the domain, the environment, the database or a file', async ({
      cli,
    }) => {
      const errors: [Record<string, string>, string[], string, string][] = [
        [cli.env, ['user', 'reset', 'nobody@example.com'], 'user_not_found', 'nobody@example.com'],
        [cli.env, ['customer', 'erase', 'cus_none'], 'customer_not_found', 'cus_none'],
        [
          cli.env,
          ['statement', 'import', import.meta.filename, '--account', 'acc_none'],
          'receiving_account_not_found',
          'acc_none',
        ],
        // The missing file is reported first, because the user sees it immediately.
        [
          cli.env,
          ['statement', 'import', '/no/such/file', '--account', 'acc_none'],
          'failed',
          '/no/such/file',
        ],
        [cli.env, ['rates', 'import', '/no/such/file'], 'failed', 'Cannot read the file /no/such/file'],
        [{ DATABASE_URL: 'postgres://127.0.0.1/x' }, ['check'], 'configuration', 'APP_SECRET is required'],
        [
          { ...cli.env, DATABASE_URL: 'postgres://127.0.0.1:1/x' },
          ['check'],
          'failed',
          'DATABASE_URL: cannot reach PostgreSQL',
        ],
        [{ ...cli.env, APP_SECRET: 'x'.repeat(32) }, ['check'], 'failed', 'APP_SECRET does not match'],
      ];
      for (const [env, args, code, message] of errors) {
        const response = await runCli(env, [...args, '--json']);
        expect(response, args.join(' ')).toMatchObject({ code: 1 });
        expect(response.json.error).toMatchObject({ code, message: expect.stringContaining(message) });
      }
    });
  });

  describe('help', () => {
    test.each([
      [['merchant', '--help'], 14, 'merchant create --name N'],
      [['help', 'secrets'], 3, 'secrets sms-key'],
      [['statement', 'import', '--help'], 1, 'statement import FILE --account ID'],
      [['statement', 'import', 'x.csv', '-h'], 1, 'Imports a bank statement'],
    ])('of %j describes the named commands', async (args, count, part) => {
      const { code, stdout, stderr } = await runCli({}, args);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(part);
      expect(stdout.match(/^ {2}[a-z]/gm)).toHaveLength(count);
    });

    test('lists the commands that begin with the given words', async () => {
      const { code, stderr } = await runCli({}, ['secrets']);
      expect(code).toBe(2);
      expect(stderr.match(/^ {2}[a-z]+ [a-z-]+/gm)).toEqual([
        '  secrets sms-key',
        '  secrets rotate',
        '  secrets retire',
      ]);
    });

    test('lists every command', async () => {
      const { code, stdout } = await spawnCli({}, ['help']);
      expect(code).toBe(0);
      const listed = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z][a-z-]*)?)/gm)].map(([, words]) => words);
      expect(listed).toEqual([
        'merchant create',
        'merchant grant',
        'merchant decline',
        'merchant disable-operation',
        'merchant enable-operation',
        'merchant disable',
        'merchant enable',
        'merchant pause',
        'merchant resume',
        'merchant export',
        'merchant import',
        'merchant complete-move',
        'merchant activate',
        'merchant discard-import',
        'operator create',
        'user create',
        'user reset',
        'user disable-two-factor',
        'customer export',
        'customer erase',
        'statement import',
        'statement preview',
        'statement cancel',
        'statement confirm',
        'statement undo',
        'feed deliveries',
        'feed list',
        'feed poll',
        'feed process',
        'feed simulate',
        'rates import',
        'check',
        'listen',
        'trigger',
        'sandbox create',
        'sandbox reset',
        'message test',
        'secrets sms-key',
        'secrets rotate',
        'secrets retire',
        'backup',
        'restore',
        'migrate',
        'demo',
      ]);
    });
  });
});
