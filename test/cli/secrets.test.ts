import { copyFile, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { makeSecrets } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { callRest } from '../process/call-rest.ts';
import { madeDataDir, postgresPid, processDataDir } from '../process/data-dir.ts';
import { runServiceForTest } from '../process/run-service.ts';
import { isLong } from '../setup/counts.ts';
import { testDatabase } from '../setup/database.ts';
import { testAppSecret } from '../setup/service.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';
import { askCli, runCli } from './run-cli.ts';

const newSecret = 'the next secret of the tests, also long enough';

test('with APP_SECRET set: from APP_SECRET_OLD to APP_SECRET; what cannot be is told, and changes nothing', async () => {
  const { connectionString } = await testDatabase();
  const old = { DATABASE_URL: connectionString, APP_SECRET: testAppSecret };
  const next = { DATABASE_URL: connectionString, APP_SECRET: newSecret, APP_SECRET_OLD: testAppSecret };
  await askCli(old, 'merchant', 'create', '--name', 'Peak Coffee');
  const certificate = () =>
    withClient(connectionString, async (client) => {
      const { rows } = await client.query('SELECT private_key_sealed AS sealed FROM certificate');
      return rows[0].sealed as string;
    });

  const refusals: [Record<string, string>, string, RegExp][] = [
    [old, 'configuration', /^APP_SECRET is in force\. To change it, start every process/],
    [{ ...next, APP_SECRET: testAppSecret }, 'configuration', /APP_SECRET is in force already/],
    [{ ...next, APP_SECRET_OLD: 'x'.repeat(32) }, 'failed', /APP_SECRET is not the one/],
    [{ ...next, APP_SECRET_OLD: 'short' }, 'configuration', /APP_SECRET_OLD must have at least 32/],
  ];
  for (const [env, code, message] of refusals) {
    const refused = await runCli(env, ['secrets', 'rotate', '--json']);
    expect(refused).toMatchObject({
      code: 1,
      json: { error: { code, message: expect.stringMatching(message) } },
    });
  }
  expect(makeSecrets(testAppSecret).unseal(await certificate())).toMatch(/^-----BEGIN PRIVATE KEY-----/);

  const rotated = await runCli(next, ['secrets', 'rotate']);
  expect(rotated).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^A new secret is in force\.\nEncrypted anew: 2 of certificate, .*1 of merchant/,
    ),
    stderr: '· The new secret is in force\n· certificate: 2 rows\n· merchant: 1 rows\n',
  });
  expect(makeSecrets(newSecret).unseal(await certificate())).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(await askCli({ ...next, APP_SECRET_OLD: '' }, 'check')).toMatchObject({ ok: true });
  expect((await runCli(old, ['check', '--json'])).json.error.message).toContain('APP_SECRET is not the one');

  expect(await askCli(next, 'secrets', 'sms-key')).toMatchObject({
    earlier: [expect.stringMatching(/^[0-9a-f]{64}$/)],
  });
  expect(await askCli(next, 'secrets', 'forget')).toEqual({ forgotten: 1 });
  expect((await runCli(next, ['secrets', 'forget'])).stdout).toBe('There was no earlier secret to forget.\n');
  expect(await askCli(next, 'secrets', 'sms-key')).toMatchObject({ earlier: [] });
});

test.runIf(isLong)(
  'in DATA_DIR: a new secret is made beside the running service, and a backup is restored elsewhere with it',
  async () => {
    const dataDir = await madeDataDir();
    const env = { DATA_DIR: dataDir };
    const secretFile = join(dataDir, 'app-secret');
    const service = runServiceForTest({ ...env, DEMO: 'false', LOG_LEVEL: 'error' });
    const { url } = await service.ready();
    const made = await askCli(
      env,
      'merchant',
      'create',
      '--name',
      'Peak Coffee',
      '--accounts',
      'demo',
      '--restricted',
      'granted',
    );
    const first = await readFile(secretFile, 'utf8');
    const charge = () =>
      callRest(
        url,
        made.live,
        '/charges',
        { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
        { 'idempotency-key': 'one charge' },
      );
    const before = await charge();

    const { keptOld, rotated } = await askCli(env, 'secrets', 'rotate');
    const second = await readFile(secretFile, 'utf8');
    expect(second).not.toBe(first);
    expect(await readFile(keptOld, 'utf8')).toBe(first);
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    expect(rotated).toMatchObject({ merchant: 1, idempotency_key: 1 });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // The very process that answered goes on, with what it kept under the old secret, and with what it gave out.
    const after = await charge();
    expect(after).toEqual(before);
    const { id, cancelToken } = after.json as Record<string, string>;
    const cancelled = await fetch(`${url}/charges/${id}/cancel`, {
      method: 'PATCH',
      headers: { 'cancel-token': cancelToken! },
    });
    expect(cancelled.status).toBe(200);

    const file = join(await temporaryFolder(), 'backup.gz');
    expect((await askCli(env, 'backup', file)).needs).toBe(secretFile);
    await service.end('SIGTERM');
    expect(await postgresPid(dataDir)).toBe(undefined);
    expect(service.logged()).toBe('');

    // As if killed after the secret came into force and before it was in its place.
    await rename(secretFile, `${secretFile}.new`);
    await rename(keptOld, secretFile);
    expect(await askCli(env, 'check')).toMatchObject({ ok: true });
    expect(await readFile(secretFile, 'utf8')).toBe(second);

    const elsewhere = await processDataDir();
    const bare = await runCli({ DATA_DIR: elsewhere }, ['restore', file, '--json']);
    expect(bare.json.error.message).toContain(`put that file at ${join(elsewhere, 'app-secret')}`);
    await copyFile(secretFile, join(elsewhere, 'app-secret'));
    const lock = await lockDataDir(elsewhere);
    const held = await runCli({ DATA_DIR: elsewhere }, ['restore', file, '--json']);
    expect(held.json.error.message).toContain(`DATA_DIR (${elsewhere}) is used by another running Causeway`);
    lock.release();
    expect((await askCli({ DATA_DIR: elsewhere }, 'restore', file)).rows).toMatchObject({
      merchant: 1,
      app_key: 2,
    });
    expect(await askCli({ DATA_DIR: elsewhere }, 'merchant', 'grant', made.merchantId)).toMatchObject({
      restrictedAccess: 'granted',
    });
  },
  60_000,
);
