import { copyFile, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { makeSecrets } from '../../src/kit/secrets.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { postgresPid, processDataDir } from '../process/data-dir.ts';
import { testDatabase } from '../setup/database.ts';
import { testAppSecret } from '../setup/service.ts';
import { temporaryFolder } from '../setup/temporary-folder.ts';
import { askCli, runCli } from './run-cli.ts';

const newSecret = 'the next secret of the tests, also long enough';

test('with APP_SECRET set: from APP_SECRET_OLD to APP_SECRET, all or nothing, and only while nobody is at work', async () => {
  const { connectionString } = await testDatabase();
  const old = { DATABASE_URL: connectionString, APP_SECRET: testAppSecret };
  const next = { DATABASE_URL: connectionString, APP_SECRET: newSecret, APP_SECRET_OLD: testAppSecret };
  const { merchantId } = await askCli(old, 'merchant', 'create', '--name', 'Peak Coffee');
  const query = <T>(sql: string, values: unknown[] = []) =>
    withClient(connectionString, async (client) => (await client.query(sql, values)).rows as T[]);
  const webhook = makeSecrets(testAppSecret).seal('its password');
  const columns = 'id, merchant_id, mode, url, username, password_sealed, messages, created_at, updated_at';
  await query(
    `INSERT INTO webhook (${columns})
     SELECT 'wh_' || i, $1, 'live', 'https://shop.example', 'shop', $2, '{}', now(), now() FROM generate_series(1, 1200) i`,
    [merchantId, webhook],
  );
  await query(
    `INSERT INTO audit_entry (id, merchant_id, mode, actor, action, object_id, detail, created_at)
     SELECT 'aud_' || id, merchant_id, mode, 'user:test', 'webhook.created', id, '{}', now() FROM webhook`,
  );

  // Any process of ours that is connected might still use the old secret.
  const busy = await withClient(connectionString, async (client) => {
    await client.query('SELECT 1');
    return runCli(next, ['secrets', 'rotate', '--json']);
  });
  expect(busy).toMatchObject({ code: 1, json: { error: { message: expect.stringContaining('at work') } } });

  // One value that does not open: nothing is changed.
  await query(`UPDATE webhook SET password_sealed = 'v1.none' WHERE id = 'wh_1200'`);
  const stuck = await runCli(next, ['secrets', 'rotate', '--json']);
  expect(stuck).toMatchObject({ code: 1, json: { error: { message: expect.stringContaining('webhook') } } });
  expect(await askCli(old, 'check')).toMatchObject({ ok: true });
  await query(`UPDATE webhook SET password_sealed = $1 WHERE id = 'wh_1200'`, [webhook]);

  const wrong = await runCli({ ...next, APP_SECRET_OLD: 'x'.repeat(32) }, ['secrets', 'rotate', '--json']);
  expect(wrong).toMatchObject({
    code: 1,
    json: { error: { code: 'configuration', message: expect.stringContaining('APP_SECRET_OLD') } },
  });

  const { rotated } = await askCli(next, 'secrets', 'rotate');
  expect(rotated).toMatchObject({ merchant: 1, certificate: 1, webhook: 1200 });
  const passwords = await query<{ sealed: string }>('SELECT password_sealed AS sealed FROM webhook');
  expect(new Set(passwords.map(({ sealed }) => makeSecrets(newSecret).unseal(sealed)))).toEqual(
    new Set(['its password']),
  );
  expect(new Set(passwords.map(({ sealed }) => sealed)).size).toBe(1200);
  const [certificate] = await query<{ sealed: string }>(
    'SELECT private_key_sealed AS sealed FROM certificate',
  );
  expect(makeSecrets(newSecret).unseal(certificate!.sealed)).toMatch(/^-----BEGIN PRIVATE KEY-----/);
  expect(await askCli(next, 'check')).toMatchObject({ ok: true });
  expect((await runCli(old, ['check', '--json'])).json.error.message).toContain('APP_SECRET is not the one');
});

test('every sealed column is named so, which is how rotating finds them', async () => {
  const schema = await readFile(new URL('../../prisma/schema.prisma', import.meta.url), 'utf8');
  const encrypted = schema
    .split('\n')
    .filter((line, i, lines) => /encrypted/i.test(lines[i - 1] ?? '') && /^\s+\w+ +String/.test(line));
  expect(encrypted.length).toBeGreaterThan(0);
  expect(encrypted.filter((line) => !line.includes('_sealed"'))).toEqual([]);
});

test('in DATA_DIR: a new secret is made; being broken off loses none; a backup is restored elsewhere with its secret', async () => {
  const dataDir = await processDataDir();
  const env = { DATA_DIR: dataDir };
  const secretFile = join(dataDir, 'app-secret');
  const made = await askCli(env, 'merchant', 'create', '--name', 'Peak Coffee');
  expect(await postgresPid(dataDir)).toBe(undefined);
  const first = await readFile(secretFile, 'utf8');

  // A service holds DATA_DIR.
  const lock = await lockDataDir(dataDir);
  for (const args of [
    ['secrets', 'rotate'],
    ['restore', secretFile],
  ]) {
    const refused = await runCli(env, [...args, '--json']);
    expect(refused.code).toBe(1);
    expect(refused.json.error.message).toContain(`DATA_DIR (${dataDir}) is used by another running Causeway`);
  }
  lock.release();

  const { keptOld } = await askCli(env, 'secrets', 'rotate');
  const second = await readFile(secretFile, 'utf8');
  expect(second).not.toBe(first);
  expect(await readFile(keptOld, 'utf8')).toBe(first);
  expect((await stat(secretFile)).mode & 0o777).toBe(0o600);

  // As if killed after the database was changed over and before the new secret was in its place.
  await rename(secretFile, `${secretFile}.new`);
  await rename(keptOld, secretFile);
  expect(await askCli(env, 'check')).toMatchObject({ ok: true });
  expect(await readFile(secretFile, 'utf8')).toBe(second);

  const file = join(await temporaryFolder(), 'backup.gz');
  expect((await askCli(env, 'backup', file)).needs).toBe(secretFile);
  const elsewhere = await processDataDir();
  const bare = await runCli({ DATA_DIR: elsewhere }, ['restore', file, '--json']);
  expect(bare.json.error.message).toContain(`put that file at ${join(elsewhere, 'app-secret')}`);
  await copyFile(secretFile, join(elsewhere, 'app-secret'));
  expect((await askCli({ DATA_DIR: elsewhere }, 'restore', file)).rows).toMatchObject({ merchant: 1 });
  expect(await askCli({ DATA_DIR: elsewhere }, 'merchant', 'grant', made.merchantId)).toMatchObject({
    restrictedAccess: 'granted',
  });
}, 60_000);
