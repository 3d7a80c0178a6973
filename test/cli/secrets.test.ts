import { copyFile, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { callRest } from '../process/call-rest.ts';
import { createMigratedDataDir, createProcessDataDir, readPostgresPid } from '../process/data-dir.ts';
import { runServiceForTest } from '../process/run-service.ts';
import { isLongRun } from '../setup/counts.ts';
import { createEmptyDatabase, setupDatabase } from '../setup/database.ts';
import { testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { callCli, runCli } from './run-cli.ts';

const newSecret = 'the next secret of the tests, also long enough';

test('secrets rotate replaces APP_SECRET_PREVIOUS by APP_SECRET, and reports errors without changes', async () => {
  const { connectionString } = await setupDatabase(onTestFinished);
  const old = { DATABASE_URL: connectionString, APP_SECRET: testAppSecret };
  const next = { DATABASE_URL: connectionString, APP_SECRET: newSecret, APP_SECRET_PREVIOUS: testAppSecret };
  await callCli(old, 'merchant', 'create', '--name', 'Peak Coffee');
  const readPrivateKey = () =>
    withClient(connectionString, async (client) => {
      const { rows } = await client.query('SELECT private_key_encrypted AS value FROM certificate');
      return rows[0].value as string;
    });
  const before = await readPrivateKey();

  const errors: [Record<string, string>, string, RegExp][] = [
    [old, 'configuration', /^APP_SECRET is in use\. To replace it, start every process/],
    [{ ...next, APP_SECRET: testAppSecret }, 'configuration', /APP_SECRET is already in use/],
    [{ ...next, APP_SECRET_PREVIOUS: 'x'.repeat(32) }, 'failed', /APP_SECRET does not match/],
    [{ ...next, APP_SECRET_PREVIOUS: 'short' }, 'configuration', /APP_SECRET_PREVIOUS must be at least 32/],
  ];
  for (const [env, code, message] of errors) {
    const rejected = await runCli(env, ['secrets', 'rotate', '--json']);
    expect(rejected).toMatchObject({
      code: 1,
      json: { error: { code, message: expect.stringMatching(message) } },
    });
  }
  expect(await callCli(old, 'check')).toMatchObject({ ok: true });
  const earlier = await createBackup(old);

  const rotated = await runCli(next, ['secrets', 'rotate']);
  expect(rotated).toMatchObject({
    code: 0,
    stdout:
      'APP_SECRET was replaced. APP_SECRET_PREVIOUS is no longer needed, but earlier backups still need the old secret.\n',
    stderr: '',
  });
  expect(await readPrivateKey()).toBe(before);
  const alone = { DATABASE_URL: connectionString, APP_SECRET: newSecret };
  expect(await callCli(alone, 'check')).toMatchObject({ ok: true });
  expect((await runCli(old, ['check', '--json'])).json.error.message).toContain('APP_SECRET does not match');

  const [smsKey] = [await callCli(alone, 'secrets', 'sms-key')];
  expect(smsKey).toEqual({ key: expect.stringMatching(/^[0-9a-f]{64}$/), previousKeys: [] });
  expect(await callCli(alone, 'secrets', 'rotate', '--data-key')).toMatchObject({
    isResumed: false,
    reencrypted: { 'certificate.private_key_encrypted': 2, 'merchant.hash_key_encrypted': 1 },
  });
  expect(await readPrivateKey()).not.toBe(before);
  expect(await callCli(alone, 'secrets', 'sms-key')).toEqual({
    key: expect.not.stringMatching(smsKey.key),
    previousKeys: [smsKey.key],
  });
  const soon = await runCli(alone, ['secrets', 'retire', '--json']);
  expect(soon.json.error.message).toMatch(/run this command after 20/);
  await withClient(connectionString, (client) =>
    client.query(
      "UPDATE data_key SET retired_at = retired_at - interval '1 hour' WHERE retired_at IS NOT NULL",
    ),
  );
  expect(await callCli(alone, 'secrets', 'retire')).toEqual({ deletedDataKeyCount: 1 });
  expect((await runCli(alone, ['secrets', 'retire'])).stdout).toBe('No retired data keys to delete.\n');

  // A backup from before the rotations needs the old secret, or both for a rotation after the restore.
  const [target, both] = [
    await createEmptyDatabase(onTestFinished),
    await createEmptyDatabase(onTestFinished),
  ];
  const rejected = await runCli({ ...alone, DATABASE_URL: target }, ['restore', earlier, '--json']);
  expect(rejected.json.error.message).toContain('APP_SECRET does not match the backup');
  await callCli({ ...old, DATABASE_URL: target }, 'restore', earlier);
  expect(await callCli({ ...old, DATABASE_URL: target }, 'secrets', 'sms-key')).toEqual(smsKey);
  await callCli({ ...next, DATABASE_URL: both }, 'restore', earlier);
  await callCli({ ...next, DATABASE_URL: both }, 'secrets', 'rotate');
  expect(await callCli({ ...alone, DATABASE_URL: both }, 'secrets', 'sms-key')).toEqual(smsKey);
});

async function createBackup(env: Record<string, string>): Promise<string> {
  const file = join(await createTempDir(onTestFinished), 'backup.gz');
  await callCli(env, 'backup', file);
  return file;
}

test.runIf(isLongRun)(
  'secrets rotate replaces the secret in DATA_DIR while the service is running, and a backup is restored with it',
  async () => {
    const dataDir = await createMigratedDataDir(onTestFinished);
    const env = { DATA_DIR: dataDir };
    const secretFile = join(dataDir, 'app-secret');
    const service = runServiceForTest(onTestFinished, { ...env, DEMO: 'false', LOG_LEVEL: 'error' });
    const { url } = await service.ready();
    const created = await callCli(
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
    const createCharge = () =>
      callRest(
        url,
        created.live,
        '/charges',
        { email: 'ada@example.com', merchantAmount: 5, merchantCurrency: 'HKD', method: 'fps' },
        { 'idempotency-key': 'one charge' },
      );
    const before = await createCharge();

    const { previousSecretFile } = await callCli(env, 'secrets', 'rotate');
    const second = await readFile(secretFile, 'utf8');
    expect(second).not.toBe(first);
    expect(await readFile(previousSecretFile, 'utf8')).toBe(first);
    expect((await stat(secretFile)).mode & 0o777).toBe(0o600);
    const { reencrypted } = await callCli(env, 'secrets', 'rotate', '--data-key');
    expect(reencrypted).toMatchObject({
      'merchant.hash_key_encrypted': 1,
      'idempotency_key.response_encrypted': 1,
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    // The running process still accepts the values and tokens that it created before.
    const after = await createCharge();
    expect(after).toEqual(before);
    const { id, cancelToken } = after.json as Record<string, string>;
    const cancelled = await fetch(`${url}/charges/${id}/cancel`, {
      method: 'PATCH',
      headers: { 'cancel-token': cancelToken! },
    });
    expect(cancelled.status).toBe(200);

    const file = join(await createTempDir(onTestFinished), 'backup.gz');
    expect((await callCli(env, 'backup', file)).needs).toBe(secretFile);
    await service.end('SIGTERM');
    expect(await readPostgresPid(dataDir)).toBe(undefined);
    expect(service.logged()).toBe('');

    // The state after a kill between the commit and the renaming of the file.
    await rename(secretFile, `${secretFile}.new`);
    await rename(previousSecretFile, secretFile);
    expect(await callCli(env, 'check')).toMatchObject({ ok: true });
    expect(await readFile(secretFile, 'utf8')).toBe(second);

    const elsewhere = await createProcessDataDir(onTestFinished);
    const bare = await runCli({ DATA_DIR: elsewhere }, ['restore', file, '--json']);
    expect(bare.json.error.message).toContain(`put that file at ${join(elsewhere, 'app-secret')}`);
    await copyFile(secretFile, join(elsewhere, 'app-secret'));
    const lock = await lockDataDir(elsewhere);
    const held = await runCli({ DATA_DIR: elsewhere }, ['restore', file, '--json']);
    expect(held.json.error.message).toContain(
      `DATA_DIR (${elsewhere}) is in use by another Causeway instance`,
    );
    lock.release();
    expect((await callCli({ DATA_DIR: elsewhere }, 'restore', file)).rows).toMatchObject({
      merchant: 1,
      data_key: 2,
    });
    expect(await callCli({ DATA_DIR: elsewhere }, 'merchant', 'grant', created.merchantId)).toMatchObject({
      restrictedAccess: 'granted',
    });
  },
  120_000,
);
