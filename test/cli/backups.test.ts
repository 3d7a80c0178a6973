import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { findTables } from '../../src/domain/operations/backup/find-tables.ts';
import { restoreBackup } from '../../src/domain/operations/backup/restore-backup.ts';
import { expireCharges } from '../../src/domain/payments/charge/expire-charges.ts';
import { forEachClock } from '../../src/domain/platform/clock/for-each-clock.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { closeDb } from '../../src/kit/db.ts';
import { dayMs } from '../../src/kit/duration.ts';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { seedSession } from '../setup/checkout.ts';
import { isLongRun } from '../setup/counts.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { fileTest } from '../setup/fixtures.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { openService, setupService, testAppSecret } from '../setup/service.ts';
import { booking, camtXml } from '../setup/statement-files.ts';
import { createTempDir, dataDirTest } from '../setup/temp-dir.ts';
import { payCharge } from '../setup/transfers.ts';
import { callCli, runCli } from './run-cli.ts';

type BackupSource = {
  service: Service & { connectionString: string };
  env: Record<string, string>;
};

const sourceTest = fileTest.extend('source', { scope: 'file' }, async ({ onFileCleanup }) => {
  const source = {} as BackupSource;
  source.service = await setupService(onFileCleanup);
  source.env = { DATABASE_URL: source.service.connectionString, APP_SECRET: testAppSecret };
  const merchant = await seedMerchant(source.service, { name: 'Peak \\Coffee' });
  const input = { amount: 10, currency: 'HKD', notifyPayload: hostile, customer: { firstName: 'Zoë' } };
  await seedSession(source.service, merchant, { input, now: noon });
  for (let i = 0; i < 24; i++) {
    const email = `customer${i}@example.com`;
    const charge = await seedCharge(source.service, merchant, {
      input: { email, notifyPayload: hostile.repeat(i) },
    });
    const minor = i % 3 === 0 ? 10_000n : charge.customerAmount;
    if (i % 2 === 0)
      await payCharge(source.service, merchant, charge, { minor, payerName: hostile, paidAt: noon });
  }
  await source.service.pool.query(`INSERT INTO authentication_attempt (network, account_hash, not_before, created_at)
    SELECT 'a', 'b', now(), now() FROM generate_series(1, 5)`);
  return source;
});

/** Text with tabs, line breaks, backslashes and an end mark, which have a meaning in some formats. */
const hostile = '\\.\n\t\\N "quoted"; \\\\. 茶 🫖\r\n\\.';

describe('Backup of DATABASE_URL', () => {
  const test = sourceTest;

  const digestRows = (rows: object[]) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');

  /** A digest of all rows of each table. */
  function readContents(connectionString: string): Promise<Record<string, string>> {
    return withClient(connectionString, async (client) => {
      const contents: Record<string, string> = {};
      for (const { table } of await findTables(client)) {
        const { rows } = await client.query(`SELECT t::text AS row FROM "${table}" t ORDER BY 1`);
        contents[table] = digestRows(rows);
      }
      if (contents.charge) contents.counts = await readCounts(client);
      return contents;
    });
  }

  /** The number of charges by the stored counts, which triggers compute again. */
  async function readCounts(client: pg.Client): Promise<string> {
    const { rows } = await client.query(`
    SELECT merchant_id, mode, day, method, status, sum(gain) AS count FROM (
      SELECT merchant_id, mode, start AS day, method, status, count AS gain FROM charge_count WHERE grain = 'day'
      UNION ALL
      SELECT merchant_id, mode, day, method, change.status, change.gain
      FROM charge_count_delta, LATERAL (VALUES (to_status, 1), (from_status, -1)) AS change(status, gain)
      WHERE change.status IS NOT NULL
    ) counts GROUP BY 1, 2, 3, 4, 5 HAVING sum(gain) <> 0 ORDER BY 1, 2, 3, 4, 5`);
    return digestRows(rows);
  }

  const createFilePath = async () => join(await createTempDir(onTestFinished), 'backup.gz');

  test('is restored into an empty database without differences, and check reports ok', async ({ source }) => {
    const file = await createFilePath();
    const backup = await callCli(source.env, 'backup', file);
    expect(backup).toMatchObject({ file, rows: { charge: 24, checkout_session: 1 }, needs: 'APP_SECRET' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = gunzipSync(await readFile(file)).toString();
    expect(text).not.toContain(testAppSecret);
    expect(text).not.toContain('agenda_jobs');

    const target = { ...source.env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
    expect((await callCli(target, 'restore', file)).rows).toEqual(backup.rows);
    expect(await readContents(target.DATABASE_URL)).toEqual(
      await readContents(source.service.connectionString),
    );
    expect(await callCli(target, 'check')).toEqual({ ok: true, violations: [] });
    // Sequences continue, and the restored database accepts new rows.
    await withClient(target.DATABASE_URL, (client) =>
      client.query(
        `INSERT INTO authentication_attempt (network, account_hash, not_before, created_at) VALUES ('a', 'b', now(), now())`,
      ),
    );

    const repeated = await runCli(target, ['restore', file, '--json']);
    expect(repeated).toMatchObject({
      code: 1,
      json: { error: { message: expect.stringContaining('not empty') } },
    });
    const over = await runCli(source.env, ['backup', file, '--json']);
    expect(over.json.error.message).toContain('already exists');
  });

  test('completes paid charges by statements that are imported before the first start, and expires none of them', async ({
    source,
  }) => {
    const paidAt = new Date(Date.now() - 2 * dayMs);
    const merchant = await seedMerchant(source.service, { name: 'Ferry Books' }, paidAt);
    const charge = await seedCharge(source.service, merchant, { now: paidAt });
    const backup = await createFilePath();
    await callCli(source.env, 'backup', backup);
    const target = { ...source.env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
    await callCli(target, 'restore', backup);

    const statement = join(dirname(backup), 'camt.054.xml');
    const credit = booking({ date: paidAt.toISOString().slice(0, 10), text: charge.paymentReference });
    await writeFile(statement, camtXml(credit, { message: '054' }));
    const imported = await callCli(
      target,
      ...['statement', 'import', statement, '--account', charge.receivingAccountId],
    );
    expect(imported).toMatchObject({ matched: 1 });
    const restored = openService(target.DATABASE_URL);
    onTestFinished(() => closeDb(restored));
    await forEachClock(restored, new Date(), (time) => expireCharges(restored, time));
    expect(await restored.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'completed',
    });
    const events = await restored.prisma.event.findMany({ where: { objectId: charge.id } });
    expect(events.map(({ type }) => type)).not.toContain('charge_expired');
  });

  test('of a database without Causeway fails', async ({ source }) => {
    const file = await createFilePath();
    const { code, json } = await runCli(
      { ...source.env, DATABASE_URL: await createEmptyDatabase(onTestFinished) },
      ['backup', file, '--json'],
    );
    expect({ code, message: json.error.message }).toEqual({
      code: 1,
      message: 'The database has no Causeway tables: there is nothing to back up',
    });
    expect(await readdir(dirname(file))).toEqual([]);
  });

  test('contains concurrent transactions completely or not at all', async ({ source }) => {
    const file = await createFilePath();
    let isDone = false;
    const backup = callCli(source.env, 'backup', file).finally(() => {
      isDone = true;
    });
    const merchant = await seedMerchant(source.service, { name: 'Kiosk' });
    for (let i = 0; !isDone; i++)
      await seedCharge(source.service, merchant, { input: { email: `late${i}@example.com` } });
    await backup;
    const target = { ...source.env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
    await callCli(target, 'restore', file);
    expect(await callCli(target, 'check')).toEqual({ ok: true, violations: [] });
  });

  describe('that cannot be restored leaves the database empty', () => {
    test('if it is truncated, damaged, of another kind, or too new', async ({ source }) => {
      const file = await createFilePath();
      await callCli(source.env, 'backup', file);
      const completeFile = await readFile(file);
      const text = gunzipSync(completeFile).toString();
      const target = await createEmptyDatabase(onTestFinished);
      const restore = () =>
        restoreBackup(target, { file, requireSecret: async () => {}, onProgress: () => {} });
      const cases: [Buffer, RegExp][] = [
        [completeFile.subarray(0, completeFile.length - 20), /damaged or truncated/],
        [gzipSync(text.slice(0, text.length / 2)), /damaged or truncated/],
        [gzipSync(text.replace(/\n(ev_[^\n]*\n)/, '\n')), /damaged or truncated/],
        [gzipSync(text.replace(/\tpending\t/, '\tpaid\t')), /enum charge_status/],
        [gzipSync('{"format":"another"}\n'), /not a Causeway backup/],
        [Buffer.from('plain text'), /not a Causeway backup/],
        [
          gzipSync(text.replace(/"name":"\d{14}_baseline"/, '"name":"20990101000000_later"')),
          /newer or unreleased version.*_later/,
        ],
      ];
      for (const [bytes, message] of cases) {
        await writeFile(file, bytes);
        await expect(restore()).rejects.toThrow(message);
        // All digests are equal because no table has a row.
        expect(new Set(Object.values(await readContents(target))).size).toBeLessThan(2);
      }
      await writeFile(file, completeFile);
      await restore();
      expect(await readContents(target)).toEqual(await readContents(source.service.connectionString));
    });

    test('if it is missing, or encrypted with another secret', async ({ source }) => {
      const file = await createFilePath();
      await callCli(source.env, 'backup', file);
      const target = { ...source.env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
      const missing = await runCli(target, ['restore', '/no/such/file', '--json']);
      expect(missing).toMatchObject({
        code: 1,
        json: { error: { message: expect.stringContaining('Cannot read the file') } },
      });
      const secret = { APP_SECRET: 'another secret of more than 32 characters' };
      const { json } = await runCli({ ...target, ...secret }, ['restore', file, '--json']);
      expect(json.error.message).toContain('APP_SECRET does not match the backup');
      expect(await readContents(target.DATABASE_URL)).toEqual({});
    });
  });
});

describe('Backup of DATA_DIR', () => {
  const test = dataDirTest;

  test('without the environment of the service creates neither a database nor a backup', async () => {
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

  test.runIf(isLongRun)('is restored into an empty DATA_DIR with its secret only', async ({ dataDir }) => {
    const env = { DATA_DIR: dataDir };
    const { merchantId } = await callCli(env, 'merchant', 'create', '--name', 'Harbour Teas');
    const file = join(await createTempDir(onTestFinished), 'backup.gz');
    const backup = await callCli(env, 'backup', file);
    expect(backup).toMatchObject({ rows: { merchant: 1, certificate: 2 }, needs: expect.any(String) });

    const target = { DATA_DIR: await createTempDir(onTestFinished) };
    const withoutSecret = await runCli(target, ['restore', file, '--json']);
    expect(withoutSecret.code).toBe(1);
    await copyFile(join(dataDir, 'app-secret'), join(target.DATA_DIR, 'app-secret'));
    expect((await callCli(target, 'restore', file)).rows).toEqual(backup.rows);

    const restored = await startEmbeddedPostgres({ dataDir: target.DATA_DIR });
    try {
      // The command uses the running PostgreSQL.
      expect(await callCli(target, 'check')).toEqual({ ok: true, violations: [] });
      const { rows } = await withClient(restored.connectionString, (client) =>
        client.query('SELECT id, name FROM merchant'),
      );
      expect(rows).toEqual([{ id: merchantId, name: 'Harbour Teas' }]);
    } finally {
      await restored.stop();
    }
  });
});
