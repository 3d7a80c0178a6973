import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { isLongRun } from '../setup/counts.ts';
import { createTempDir, sharedDataDir } from '../setup/temp-dir.ts';
import { askCli, runCli } from './run-cli.ts';

/** The database in DATA_DIR, backed up and restored as by test/cli/backup.test.ts that of DATABASE_URL. */

const dataDir = sharedDataDir();

test('a call without the environment of the service makes no database, and no backup of an empty one', async () => {
  const folder = await createTempDir(onTestFinished);
  const env = { DATA_DIR: join(folder, 'typo') };
  const file = join(folder, 'backup.gz');
  const account = ['--account', 'acc_1'];
  for (const args of [
    ['backup', file],
    ['check'],
    ...['export', 'erase'].map((act) => ['customer', act, 'cus_1']),
    ...['import', 'preview'].map((act) => ['statement', act, file, ...account]),
  ]) {
    const { code, stderr } = await runCli(env, args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `No database found in DATA_DIR (${env.DATA_DIR}): run the command with the environment of the service\n`,
    });
  }
  expect(await readdir(folder)).toEqual([]);
});

test.runIf(isLongRun)(
  'the embedded database is backed up, and restored into an empty DATA_DIR with its secret alone',
  async () => {
    const env = { DATA_DIR: dataDir() };
    const { merchantId } = await askCli(env, 'merchant', 'create', '--name', 'Harbour Teas');
    const file = join(await createTempDir(onTestFinished), 'backup.gz');
    const backup = await askCli(env, 'backup', file);
    expect(backup).toMatchObject({ rows: { merchant: 1, certificate: 2 }, needs: expect.any(String) });

    const target = { DATA_DIR: await createTempDir(onTestFinished) };
    const withoutSecret = await runCli(target, ['restore', file, '--json']);
    expect(withoutSecret.code).toBe(1);
    await copyFile(join(dataDir(), 'app-secret'), join(target.DATA_DIR, 'app-secret'));
    expect((await askCli(target, 'restore', file)).rows).toEqual(backup.rows);

    const restored = await startEmbeddedPostgres({ dataDir: target.DATA_DIR });
    try {
      // What is at work joins the PostgreSQL that runs.
      expect(await askCli(target, 'check')).toEqual({ ok: true, violations: [] });
      const { rows } = await withClient(restored.connectionString, (client) =>
        client.query('SELECT id, name FROM merchant'),
      );
      expect(rows).toEqual([{ id: merchantId, name: 'Harbour Teas' }]);
    } finally {
      await restored.stop();
    }
  },
);
