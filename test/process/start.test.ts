import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readProcessStartTime } from '../../src/kit/embedded-postgres/process-info.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { isLongRun } from '../setup/counts.ts';
import { waitForProcessExit } from '../setup/wait.ts';
import { callRest } from './call-rest.ts';
import { postgresPid, processDataDir } from './data-dir.ts';
import { plainEnv, printedKeys, runService, runServiceForTest, type ServiceProcess } from './run-service.ts';

const onCleanup = cleanupAfterFile();

const run = promisify(execFile);
let dataDir = '';
let service: ServiceProcess;
let url = '';

beforeAll(async () => {
  dataDir = await processDataDir(onCleanup);
  service = runService({ DATA_DIR: dataDir, LOG_LEVEL: 'debug' });
  url = (await service.ready()).url;
});
afterAll(async () => void (await service.end('SIGKILL')));

/** The lines that are printed to be pasted. */
function printedLines(said: string): string[] {
  const lines = said.split('\n');
  const from = lines.findIndex((line) => line.includes('Paste these lines')) + 2;
  return lines.slice(from, lines.indexOf('', from)).map((line) => line.trim());
}

/** The keys and passwords as printed. */
function printedSecrets(said: string): string[] {
  return [...said.matchAll(/(?:c[ks]|pk)_(?:live|test)_\S{43}|owner@\S+ {2}\S+/g)].map(([key]) => key);
}

async function sh(script: string): Promise<string> {
  const { stdout } = await run('sh', ['-euc', script], { env: plainEnv({}) });
  return stdout;
}

describe('the first start', () => {
  test('says what it does, makes the demo, and tells addresses and keys, which the log never holds', async () => {
    const said = service.said();
    expect(said).toMatch(/· Creating the database.*· Applied \d+ migrations?.*· Creating the demo merchant/s);
    expect(said).toContain(`Dashboard      ${url}/dashboard`);
    expect(said).toContain(`GraphiQL       ${url}/graphql`);
    expect(said).toContain(`API reference  ${url}/docs`);
    const keys = printedSecrets(said);
    expect(new Set(keys.map((key) => key.slice(0, 7)))).toEqual(
      new Set(['owner@d', 'ck_live', 'cs_live', 'pk_live', 'ck_test', 'cs_test', 'pk_test']),
    );
    expect(keys.filter((key) => service.logged().includes(key))).toEqual([]);
    expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'app-secret'))).mode & 0o777).toBe(0o600);
  });

  test('its lines work when pasted: a charge is made, paid, completed, and told by webhook and callback', async () => {
    const lines = printedLines(service.said());
    expect(lines.filter((line) => line.includes('curl'))).toHaveLength(4);
    const output = await sh(lines.join('\n'));
    const [charge, transfers, completed, ...arrived] = output.split('\n');
    const { id, status, destination } = JSON.parse(charge!);
    expect(status).toBe('pending');
    expect(JSON.parse(transfers!).transfers).toMatchObject([{ status: 'matched', chargeId: id }]);
    expect(JSON.parse(completed!)).toMatchObject({ id, status: 'completed', destination });
    const text = arrived.join('\n');
    expect(text).toMatch(/webhook {2}\(password verified\)\n\{[^}]*"message": "CHARGE_COMPLETE"/);
    expect(text).toMatch(/callback {2}\(signature verified\)\n\{[^}]*"message": "CHARGE_COMPLETE"/);
    expect(text.match(/"chargeId": "ch_\w+"/g)).toSatisfy((found: string[]) =>
      found.every((one) => one.includes(id)),
    );

    // Pasted again, they make another charge.
    const again = JSON.parse((await sh(lines.slice(0, 2).join('\n'))).split('\n')[0]!);
    expect(again).toMatchObject({ status: 'pending', isDuplicate: false });
  });

  test('the printed checkout page, API reference and receiver are there; a false notification is shown as such', async () => {
    const checkout = /Checkout {7}(\S+)/.exec(service.said())![1]!;
    for (const page of [checkout, `${url}/docs`, `${url}/demo`]) {
      expect((await fetch(page)).status, page).toBe(200);
    }
    const post = (path: string, headers: Record<string, string>) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{"chargeId":"ch_none","payload":{}}',
      });
    await post('/demo/callback', {});
    await post('/demo/webhook', { authorization: `Basic ${btoa('demo:guess')}` });
    const shown = await (await fetch(`${url}/demo`)).text();
    expect(shown).toContain('WRONG SIGNATURE');
    expect(shown).toContain('WRONG PASSWORD');
  });
});

describe('a second service', () => {
  test('on the same DATA_DIR refuses, naming the one that runs', async () => {
    const second = runServiceForTest(onTestFinished, { DATA_DIR: dataDir });
    expect(await second.ended).toBe(1);
    expect(second.logged()).toContain(`DATA_DIR (${dataDir}) is in use by another Causeway instance`);
    expect(second.logged()).toContain(`process ${service.child.pid}`);
  });

  test('on the same port refuses before it makes anything, naming PORT', async () => {
    const other = await processDataDir(onCleanup);
    const second = runServiceForTest(onTestFinished, { DATA_DIR: other, PORT: new URL(url).port });
    expect(await second.ended).toBe(1);
    expect(second.logged()).toContain(`PORT: 127.0.0.1:${new URL(url).port} is in use by another program`);
    expect(await readdir(other)).toEqual(['lock']);
  });
});

test('PostgreSQL killed alone: the service starts it again, and goes on where it was', async () => {
  const before = await countCharges(service.said());
  const postgres = await postgresPid(dataDir);
  process.kill(postgres!, 'SIGKILL');
  await expect.poll(() => service.said(), { timeout: 10_000 }).toContain('PostgreSQL exited unexpectedly');
  const status = async () => (await fetch(`${url}/readyz`)).status;
  await expect.poll(status).toBe(200);
  expect(await postgresPid(dataDir)).not.toBe(postgres);
  expect(await countCharges(service.said())).toBe(before);
});

describe('stopping and starting again', () => {
  test('SIGTERM: a request under way is answered, PostgreSQL stops; the next start has the same data and keys', async () => {
    const postgres = await postgresPid(dataDir);
    expect(await readProcessStartTime(postgres!)).toBeDefined();
    // It waits for what never comes, as long as the service lets it.
    const waiting = fetch(`${url}/demo?charge=ch_none_such`);
    await expect.poll(() => service.logged()).toContain('"path":"/demo"},"msg":"incoming request"');
    const keys = printedSecrets(service.said());
    const chargesBefore = await countCharges(service.said());
    expect(await service.end('SIGTERM')).toBe(0);
    expect((await waiting).status).toBe(200);
    await waitForProcessExit(postgres);
    expect(await readFile(join(dataDir, 'lock'), 'utf8')).toBe('');

    service = runService({ DATA_DIR: dataDir });
    url = (await service.ready()).url;
    expect(printedSecrets(service.said())).toEqual(keys);
    expect(await countCharges(service.said())).toBe(chargesBefore);
  });

  test('Ctrl-C, which reaches every process of the group, stops it all the same', async () => {
    const postgres = await postgresPid(dataDir);
    expect(await service.end('SIGINT', 'group')).toBe(0);
    expect(service.said()).toContain('SIGINT: stopping');
    await waitForProcessExit(postgres);
    expect(service.logged()).not.toMatch(/"level":[56]0/);
  });

  test.runIf(isLongRun)(
    'Ctrl-C in the middle of the first start leaves no PostgreSQL; the next, by npm start, is whole and stops with npm',
    async () => {
      const fresh = await processDataDir(onCleanup);
      const broken = runServiceForTest(onTestFinished, { DATA_DIR: fresh });
      await expect.poll(() => broken.said(), { timeout: 10_000 }).toContain('Migrating the database schema');
      const postgres = await postgresPid(fresh);
      expect(await broken.end('SIGINT', 'group')).toBe(0);
      expect(broken.said()).not.toContain('is ready');
      await waitForProcessExit(postgres);

      // SIGTERM reaches npm alone, which may end before the service has.
      const next = runServiceForTest(onTestFinished, { DATA_DIR: fresh }, ['npm', 'start']);
      await next.ready();
      expect(new Set(printedSecrets(next.said())).size).toBe(7);
      const itsPostgres = await postgresPid(fresh);
      await next.end('SIGTERM');
      expect(next.said()).toContain('stopping');
      await waitForProcessExit(itsPostgres);
    },
  );
});

async function countCharges(said: string): Promise<number> {
  const { json } = await callRest(url, printedKeys(said, 'live'), '/charges');
  return json.pagination.total;
}
