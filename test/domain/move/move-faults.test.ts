import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { pauseMerchant } from '../../../src/domain/operations/move/pause-merchant.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { withClient } from '../../../src/kit/with-client.ts';
import { callCli, runCli } from '../../cli/run-cli.ts';
import { createEnv, projectRoot } from '../../process/run-service.ts';
import { count } from '../../setup/counts.ts';
import { hashTables } from '../../setup/database-state.ts';
import { fileTest } from '../../setup/fixtures.ts';
import { setupOtherInstallation } from '../../setup/other-installation.ts';
import { seedCharge, seedMerchant } from '../../setup/seed.ts';
import { setupService, testAppSecret } from '../../setup/service.ts';
import { seedUser } from '../../setup/sign-in.ts';
import { createTempDir } from '../../setup/temp-dir.ts';
import { payCharge } from '../../setup/transfers.ts';

const test = fileTest
  .extend('source', { scope: 'file' }, async ({ onFileCleanup }) => {
    const service = await setupService(onFileCleanup);
    const now = new Date();
    const newMerchant = await seedMerchant(service, {}, now);
    const { merchant } = newMerchant;
    for (let i = 0; i < 20; i++) {
      const charge = await seedCharge(service, newMerchant, { input: { notifyPayload: `order ${i}` }, now });
      if (i % 2 === 0) await payCharge(service, { merchant }, charge, { now });
    }
    await seedUser(service, { merchantId: merchant.id, email: 'owner@moved.example', role: 'owner', now });
    const options = { merchantId: merchant.id, actor: 'operator', clock: systemClock, onProgress: () => {} };
    await pauseMerchant(service, options);
    const folder = await createTempDir(onFileCleanup);
    const keyFile = join(folder, 'key');
    await writeFile(keyFile, 'a passphrase of several words');
    const env = { DATABASE_URL: service.connectionString, APP_SECRET: testAppSecret };
    const file = join(folder, 'merchant.causeway');
    await callCli(env, 'merchant', 'export', merchant.id, file, '--key-file', keyFile);
    return { service, merchantId: merchant.id, env, folder, keyFile, file };
  })
  .extend('target', { scope: 'file' }, ({ onFileCleanup }) => setupOtherInstallation(onFileCleanup));

/** Kills the command line, which runs in a separate process, while another transaction blocks the table `webhook`. */
async function killWhileBlocked(
  { connectionString, env }: { connectionString: string; env: Record<string, string> },
  args: string[],
): Promise<void> {
  await withClient(connectionString, async (blocker) => {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE webhook IN ACCESS EXCLUSIVE MODE');
    const command = ['scripts/launch.mjs', 'src/cli.ts', ...args];
    const child = execFile(process.execPath, command, { cwd: projectRoot, env: createEnv(env) });
    onTestFinished(() => void child.kill('SIGKILL'));
    const isWaiting = async () => {
      const { rows } = await blocker.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'webhook'::regclass`,
      );
      return rows.length > 0;
    };
    await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true);
    const exit = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGKILL');
    await exit;
    await blocker.query('ROLLBACK');
  });
}

describe('An export', () => {
  test('that is killed leaves only FILE.partial, and the next one succeeds', async ({ source }) => {
    const { service, env, merchantId, folder, keyFile } = source;
    const file = join(folder, 'killed.causeway');
    const args = ['merchant', 'export', merchantId, file, '--key-file', keyFile];
    await killWhileBlocked({ connectionString: service.connectionString, env }, args);
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, true]);
    const { tables } = await callCli(env, ...args);
    expect(tables.charge.rows).toBe(20);
  });

  test('is rejected without a key of twenty characters, and to a file that exists', async ({ source }) => {
    const { env, merchantId, folder, keyFile, file } = source;
    const shortKey = join(folder, 'short');
    await writeFile(shortKey, 'short');
    const args = ['merchant', 'export', merchantId];
    const short = await runCli(env, [...args, join(folder, 'new'), '--key-file', shortKey]);
    expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('at least 20 characters')]);
    const existing = await runCli(env, [...args, file, '--key-file', keyFile]);
    expect([existing.code, existing.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  });
});

describe('An import', () => {
  test('that is killed imports nothing, and the next one succeeds', async ({ source, target }) => {
    const args = ['merchant', 'import', source.file, '--key-file', source.keyFile];
    const before = await hashTables(target.service);
    const { connectionString } = target.service;
    await killWhileBlocked({ connectionString, env: target.env }, args);
    await expect.poll(() => hashTables(target.service)).toEqual(before);
    const { tables } = await callCli(target.env, ...args);
    expect(tables.charge.rows).toBe(20);
  });

  test('of a damaged, truncated or extended file imports nothing', { timeout: 240_000 }, async ({
    source,
  }) => {
    const other = await setupOtherInstallation(onTestFinished);
    const before = await hashTables(other.service);
    const bytes = await readFile(source.file);
    const damagedFile = join(source.folder, 'damaged.causeway');
    const positions = Array.from({ length: count(6, 60) }, (_, i) =>
      Math.floor((bytes.length * (i + 0.5)) / count(6, 60)),
    );
    const variants = [
      ...positions.map((position) => {
        const changed = Buffer.from(bytes);
        changed[position]! ^= 1;
        return changed;
      }),
      ...positions.map((position) => bytes.subarray(0, position)),
      Buffer.concat([bytes, bytes.subarray(-100)]),
      Buffer.from('not an export'),
      Buffer.alloc(0),
    ];
    for (const variant of variants) {
      await writeFile(damagedFile, variant);
      const { code, stderr } = await runCli(other.env, [
        'merchant',
        'import',
        damagedFile,
        '--key-file',
        source.keyFile,
      ]);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(
          /damaged or truncated|not an export of a merchant|not the one with which|newer version/,
        ),
      ]);
    }
    expect(await hashTables(other.service)).toEqual(before);
  });

  test('with another key, or into another schema, imports nothing', async ({ source }) => {
    const other = await setupOtherInstallation(onTestFinished);
    const before = await hashTables(other.service);
    const otherKey = join(source.folder, 'other-key');
    await writeFile(otherKey, 'another passphrase of several words');
    const wrongKey = await runCli(other.env, ['merchant', 'import', source.file, '--key-file', otherKey]);
    expect([wrongKey.code, wrongKey.stderr]).toEqual([
      1,
      expect.stringContaining('The key is not the one with which the file was exported'),
    ]);
    expect(await hashTables(other.service)).toEqual(before);
    await other.service.pool.query(
      `INSERT INTO _prisma_migrations (id, migration_name, checksum, finished_at) VALUES ('x', '99991231235959_later', 'x', now())`,
    );
    const args = ['merchant', 'import', source.file, '--key-file', source.keyFile];
    const { code, stderr } = await runCli(other.env, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('99991231235959_later')]);
  });

  test('of a user whose email is taken imports nothing, and names the email', async ({ source }) => {
    const other = await setupOtherInstallation(onTestFinished);
    const now = new Date();
    const { merchant } = await seedMerchant(other.service, {}, now);
    await seedUser(other.service, {
      merchantId: merchant.id,
      email: 'owner@moved.example',
      role: 'owner',
      now,
    });
    const before = await hashTables(other.service);
    const args = ['merchant', 'import', source.file, '--key-file', source.keyFile];
    const { code, stderr } = await runCli(other.env, args);
    expect([code, stderr]).toEqual([1, expect.stringContaining('owner@moved.example')]);
    expect(stderr).toContain('Nothing was imported');
    expect(await hashTables(other.service)).toEqual(before);
  });
});
