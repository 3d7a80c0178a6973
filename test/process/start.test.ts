import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished } from 'vitest';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import { isLongRun } from '../setup/counts.ts';
import { fileTest } from '../setup/fixtures.ts';
import { seedMerchant } from '../setup/seed.ts';
import { setupService, testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { databaseUrl } from '../setup/template.ts';
import { getTestPostgres } from '../setup/test-postgres.ts';
import { waitForProcessExit } from '../setup/wait.ts';
import { callRest } from './call-rest.ts';
import { createProcessDataDir, readPostgresPid } from './data-dir.ts';
import {
  createEnv,
  parsePrintedKeys,
  runService,
  runServiceForTest,
  type ServiceProcess,
} from './run-service.ts';

type StartedService = {
  dataDir: string;
  service: ServiceProcess;
  url: string;
};

const embeddedDatabaseTest = fileTest.extend('started', { scope: 'file' }, async ({ onFileCleanup }) => {
  const started = {} as StartedService;
  started.dataDir = '';
  started.url = '';
  started.dataDir = await createProcessDataDir(onFileCleanup);
  onFileCleanup(async () => void (await started.service.end('SIGKILL')));
  started.service = runService({ DATA_DIR: started.dataDir, LOG_LEVEL: 'debug' });
  started.url = (await started.service.ready()).url;
  return started;
});

describe('Embedded database', () => {
  const test = embeddedDatabaseTest;

  const run = promisify(execFile);

  /** The commands that a start prints. */
  function readPrintedLines(output: string): string[] {
    const lines = output.split('\n');
    const from = lines.findIndex((line) => line.includes('Paste these lines')) + 2;
    return lines.slice(from, lines.indexOf('', from)).map((line) => line.trim());
  }

  /** The keys and passwords as printed. */
  function readPrintedSecrets(output: string): string[] {
    return [...output.matchAll(/(?:c[ks]|pk)_(?:live|test)_\S{43}|owner@\S+ {2}\S+/g)].map(([key]) => key);
  }

  async function runShell(script: string): Promise<string> {
    const { stdout } = await run('sh', ['-euc', script], { env: createEnv({}) });
    return stdout;
  }

  describe('at the first start', () => {
    test('prints its steps, creates the demo merchant, and prints URLs and keys, which are not logged', async ({
      started,
    }) => {
      const output = started.service.output();
      expect(output).toMatch(
        /· Creating the database.*· Applied \d+ migrations?.*· Creating the demo merchant/s,
      );
      expect(output).toContain(`Dashboard      ${started.url}/dashboard`);
      expect(output).toContain(`GraphiQL       ${started.url}/graphql`);
      expect(output).toContain(`API reference  ${started.url}/docs`);
      const keys = readPrintedSecrets(output);
      expect(new Set(keys.map((key) => key.slice(0, 7)))).toEqual(
        new Set(['owner@d', 'ck_live', 'cs_live', 'pk_live', 'ck_test', 'cs_test', 'pk_test']),
      );
      expect(keys.filter((key) => started.service.logged().includes(key))).toEqual([]);
      expect((await stat(join(started.dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
      expect((await stat(join(started.dataDir, 'app-secret'))).mode & 0o777).toBe(0o600);
    });

    test('prints commands that create and pay a charge, whose completion is sent by webhook and callback', async ({
      started,
    }) => {
      const lines = readPrintedLines(started.service.output());
      expect(lines.filter((line) => line.includes('curl'))).toHaveLength(4);
      const output = await runShell(lines.join('\n'));
      const [charge, transfers, completed, ...arrived] = output.split('\n');
      const { id, status, destination } = JSON.parse(charge!);
      expect(status).toBe('pending');
      expect(JSON.parse(transfers!).transfers).toMatchObject([{ status: 'matched', chargeId: id }]);
      expect(JSON.parse(completed!)).toMatchObject({ id, status: 'completed', destination });
      const text = arrived.join('\n');
      expect(text).toMatch(/webhook {2}\(password verified\)\n\{[^}]*"message": "CHARGE_COMPLETE"/);
      expect(text).toMatch(/callback {2}\(signature verified\)\n\{[^}]*"message": "CHARGE_COMPLETE"/);
      expect(text.match(/"chargeId": "ch_\w+"/g)).toSatisfy((chargeIds: string[]) =>
        chargeIds.every((chargeId) => chargeId.includes(id)),
      );

      // A second run creates another charge.
      const repeated = JSON.parse((await runShell(lines.slice(0, 2).join('\n'))).split('\n')[0]!);
      expect(repeated).toMatchObject({ status: 'pending', isDuplicate: false });
    });

    test('prints the URLs of the checkout page, the API reference and the receiver, which marks forged notifications', async ({
      started,
    }) => {
      const checkout = /Checkout {7}(\S+)/.exec(started.service.output())![1]!;
      for (const page of [checkout, `${started.url}/docs`, `${started.url}/demo`]) {
        expect((await fetch(page)).status, page).toBe(200);
      }
      const post = (path: string, headers: Record<string, string>) =>
        fetch(`${started.url}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: '{"chargeId":"ch_none","payload":{}}',
        });
      await post('/demo/callback', {});
      await post('/demo/webhook', { authorization: `Basic ${btoa('demo:guess')}` });
      const shown = await (await fetch(`${started.url}/demo`)).text();
      expect(shown).toContain('WRONG SIGNATURE');
      expect(shown).toContain('WRONG PASSWORD');
    });
  });

  describe('for a second service', () => {
    test('on the same DATA_DIR prints an error that identifies the running one', async ({ started }) => {
      const second = runServiceForTest(onTestFinished, { DATA_DIR: started.dataDir });
      expect(await second.ended).toBe(1);
      expect(second.logged()).toContain(
        `DATA_DIR (${started.dataDir}) is in use by another Causeway instance`,
      );
      expect(second.logged()).toContain(`process ${started.service.child.pid}`);
    });

    test('on the same port prints an error about PORT, and creates nothing', async ({ started }) => {
      const other = await createProcessDataDir(onTestFinished);
      const second = runServiceForTest(onTestFinished, { DATA_DIR: other, PORT: new URL(started.url).port });
      expect(await second.ended).toBe(1);
      expect(second.logged()).toContain(
        `PORT: 127.0.0.1:${new URL(started.url).port} is in use by another program`,
      );
      expect(await readdir(other)).toEqual(['lock']);
    });
  });

  test('is restarted by the service after PostgreSQL was killed', async ({ started }) => {
    const before = await countCharges(started, started.service.output());
    const postgres = await readPostgresPid(started.dataDir);
    process.kill(postgres!, 'SIGKILL');
    await expect
      .poll(() => started.service.output(), { timeout: 10_000 })
      .toContain('PostgreSQL exited unexpectedly');
    const status = async () => (await fetch(`${started.url}/readyz`)).status;
    await expect.poll(status).toBe(200);
    expect(await readPostgresPid(started.dataDir)).not.toBe(postgres);
    expect(await countCharges(started, started.service.output())).toBe(before);
  });

  describe('after a stop', () => {
    test('by SIGTERM, which answers running requests, has the same data and keys at the next start', async ({
      started,
    }) => {
      const postgres = await readPostgresPid(started.dataDir);
      expect(await readProcessStartTime(postgres!)).toBeDefined();
      // Waits until the service ends the request.
      const waiting = fetch(`${started.url}/demo?charge=ch_none_such`);
      await expect.poll(() => started.service.logged()).toContain('"path":"/demo"},"msg":"incoming request"');
      const keys = readPrintedSecrets(started.service.output());
      const chargesBefore = await countCharges(started, started.service.output());
      expect(await started.service.end('SIGTERM')).toBe(0);
      expect((await waiting).status).toBe(200);
      await waitForProcessExit(postgres);
      expect(await readFile(join(started.dataDir, 'lock'), 'utf8')).toBe('');

      started.service = runService({ DATA_DIR: started.dataDir });
      started.url = (await started.service.ready()).url;
      expect(readPrintedSecrets(started.service.output())).toEqual(keys);
      expect(await countCharges(started, started.service.output())).toBe(chargesBefore);
    });

    test('by Ctrl-C, which reaches every process of the group, has ended', async ({ started }) => {
      const postgres = await readPostgresPid(started.dataDir);
      expect(await started.service.end('SIGINT', 'group')).toBe(0);
      expect(started.service.output()).toContain('SIGINT: stopping');
      await waitForProcessExit(postgres);
      expect(started.service.logged()).not.toMatch(/"level":[56]0/);
    });

    test.runIf(isLongRun)(
      'by Ctrl-C during the first start has ended; the next start, by npm start, is complete and stops with npm',
      async () => {
        const fresh = await createProcessDataDir(onTestFinished);
        const broken = runServiceForTest(onTestFinished, { DATA_DIR: fresh });
        await expect
          .poll(() => broken.output(), { timeout: 10_000 })
          .toContain('Migrating the database schema');
        const postgres = await readPostgresPid(fresh);
        expect(await broken.end('SIGINT', 'group')).toBe(0);
        expect(broken.output()).not.toContain('is ready');
        await waitForProcessExit(postgres);

        // SIGTERM reaches npm only, which may end before the service.
        const next = runServiceForTest(onTestFinished, { DATA_DIR: fresh }, ['npm', 'start']);
        await next.ready();
        expect(new Set(readPrintedSecrets(next.output())).size).toBe(7);
        const itsPostgres = await readPostgresPid(fresh);
        await next.end('SIGTERM');
        expect(next.output()).toContain('stopping');
        await waitForProcessExit(itsPostgres);
      },
    );
  });

  async function countCharges(started: StartedService, output: string): Promise<number> {
    const { json } = await callRest(started.url, parsePrintedKeys(output, 'live'), '/charges');
    return json.pagination.total;
  }
});

describe('Invalid configuration', () => {
  const test = fileTest;

  const secret = 'not the secret of the tests, but long enough';

  /** Starts the service, which must fail; returns the message for the operator. */
  async function readStartError(env: Record<string, string>): Promise<string> {
    const service = runServiceForTest(onTestFinished, env);
    expect(await service.ended).toBe(1);
    expect(service.output()).not.toContain('is ready');
    const message = service.logged();
    expect(message).not.toContain('at file://');
    return message;
  }

  test('is reported completely, each error with its variable', async () => {
    const message = await readStartError({
      PORT: '99999',
      HOST: 'here:4000',
      PUBLIC_URL: 'https://pay.example/causeway',
      TRUST_PROXY: '10.0.0.0/8, somewhere',
      DATABASE_URL: 'mysql://127.0.0.1/causeway',
      DATABASE_POOL_SIZE: '1',
      APP_SECRET: 'short',
      MONGODB_URL: 'http://127.0.0.1',
      ROLE: 'leader',
      DEMO: 'perhaps',
      EXCHANGE_RATE_FEEDS: 'https://rates.example feed.xml',
      ALLOW_PRIVATE_TARGETS: 'sometimes',
      RATE_LIMIT: '-1',
      LOG_LEVEL: 'loud',
      METRICS_TOKEN: 'short',
    });
    const lines = message.trim().split('\n');
    expect(lines[0]).toBe('The configuration is invalid:');
    expect(lines.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(
      expect.arrayContaining([
        'PORT',
        'HOST',
        'PUBLIC_URL',
        'TRUST_PROXY',
        'DATABASE_URL',
        'DATABASE_POOL_SIZE',
        'APP_SECRET',
        'MONGODB_URL',
        'ROLE',
        'DEMO',
        'EXCHANGE_RATE_FEEDS',
        'ALLOW_PRIVATE_TARGETS',
        'RATE_LIMIT',
        'LOG_LEVEL',
        'METRICS_TOKEN',
      ]),
    );
  });

  test('is reported for DATABASE_URL without APP_SECRET, and ROLE without DATABASE_URL', async () => {
    expect(await readStartError({ DATABASE_URL: 'postgresql://127.0.0.1/x' })).toMatch(
      /^ {2}APP_SECRET is required/m,
    );
    expect(await readStartError({ ROLE: 'worker' })).toMatch(/^ {2}ROLE: .* set DATABASE_URL$/m);
  });

  test('is reported for a DATA_DIR that cannot be created', async () => {
    const folder = await createTempDir(onTestFinished);
    await writeFile(join(folder, 'file'), '');
    const dataDir = join(folder, 'file', 'data');
    expect(await readStartError({ DATA_DIR: dataDir })).toContain(`DATA_DIR (${dataDir}) cannot be created`);
  });

  test('is reported for a HOST that is not an address of this machine', async () => {
    const folder = await createTempDir(onTestFinished);
    expect(await readStartError({ DATA_DIR: folder, HOST: '192.0.2.1' })).toContain(
      'HOST: 192.0.2.1 is not an address of this machine',
    );
  });

  test('is reported for a DATABASE_URL that cannot be reached, without its password', async () => {
    const env = { APP_SECRET: secret };
    const down = await readStartError({
      ...env,
      DATABASE_URL: 'postgresql://ada:letmein@127.0.0.1:1/causeway',
    });
    expect(down).toContain('DATABASE_URL: cannot reach PostgreSQL at 127.0.0.1:1');
    expect(down).not.toContain('letmein');

    const missing = databaseUrl((await getTestPostgres()).url, 'no_such_database');
    expect(await readStartError({ ...env, DATABASE_URL: missing })).toMatch(
      /DATABASE_URL: .*create it first/,
    );
  });

  test('is reported for the database of an unreleased version, with the solutions, and deletes nothing', async () => {
    const service = await setupService(onTestFinished);
    await seedMerchant(service);
    const env = { DATABASE_URL: service.connectionString, APP_SECRET: testAppSecret };
    await service.pool.query(`UPDATE _prisma_migrations SET migration_name = '20261120000000_init'`);
    const message = await readStartError(env);
    expect(message).toMatch(
      /An unreleased older version of Causeway created this database.*Create a new database, or restore a backup/,
    );
    expect(await service.prisma.merchant.count()).toBe(1);
  });

  test('is reported for an APP_SECRET that does not match the database', async () => {
    const service = await setupService(onTestFinished);
    await seedMerchant(service);
    const env = { DATABASE_URL: service.connectionString, APP_SECRET: secret };
    expect(await readStartError(env)).toContain('APP_SECRET does not match this database');
  });
});

describe('Unsupported platform', () => {
  const test = fileTest;

  const root = fileURLToPath(new URL('../..', import.meta.url));

  const node = (version: string) =>
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  const platform = (name: string) => `Object.defineProperty(process, 'platform', { value: '${name}' })`;
  const withoutGlibc = 'process.report.getReport = () => ({ header: {} })';

  /** Starts the service on a simulated platform. */
  function startOn(pretend: string) {
    const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
    return spawnSync(process.execPath, [...args, 'scripts/launch.mjs', 'src/main.ts'], {
      cwd: root,
      encoding: 'utf8',
      // If the platform were accepted, the service would run.
      timeout: 20_000,
    });
  }

  test.each([
    ['an older Node version', node('20.11.0'), / with Node 20\.11\.0\. Install Node 24\.$/],
    ['Linux without glibc', withoutGlibc, /; this is linux without glibc \w+ with Node [\d.]+\.$/],
    ['another system', platform('freebsd'), /; this is freebsd \w+ with Node [\d.]+\.$/],
  ])('causes a one-line message on %s with the requirement and the actual platform', (_, pretend, why) => {
    const { status, stdout, stderr } = startOn(pretend);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Causeway runs on Node 24 or newer.*\n$/);
    expect(stderr.trimEnd()).toMatch(why);
  });
});
