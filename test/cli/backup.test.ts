import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findTables } from '../../src/domain/operations/backup/find-tables.ts';
import { restoreBackup } from '../../src/domain/operations/backup/restore-backup.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { migrate, readMigrations } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { seedSession } from '../setup/checkout.ts';
import { cleanupAfterFile } from '../setup/cleanup.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { queryValue } from '../setup/query-value.ts';
import { noon, seedCharge, seedMerchant } from '../setup/seed.ts';
import { setupService, testAppSecret } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { payCharge } from '../setup/transfers.ts';
import { askCli, runCli } from './run-cli.ts';

const onCleanup = cleanupAfterFile();

let service: Service & { connectionString: string };
let env: Record<string, string>;

/** Text that would break a format which takes tabs, line breaks, backslashes or its own end mark for signs. */
const hostile = '\\.\n\t\\N "quoted"; \\\\. 茶 🫖\r\n\\.';

beforeAll(async () => {
  service = await setupService(onCleanup);
  env = { DATABASE_URL: service.connectionString, APP_SECRET: testAppSecret };
  const made = await seedMerchant(service, { name: 'Peak \\Coffee' });
  const input = { amount: 10, currency: 'HKD', notifyPayload: hostile, customer: { firstName: 'Zoë' } };
  await seedSession(service, made, { input, now: noon });
  for (let i = 0; i < 24; i++) {
    const email = `customer${i}@example.com`;
    const charge = await seedCharge(service, made, { input: { email, notifyPayload: hostile.repeat(i) } });
    const minor = i % 3 === 0 ? 10_000n : charge.customerAmount;
    if (i % 2 === 0) await payCharge(service, made, charge, { minor, payerName: hostile, paidAt: noon });
  }
  await service.pool.query(`INSERT INTO authentication_attempt (network, account_hash, not_before, created_at)
    SELECT 'a', 'b', now(), now() FROM generate_series(1, 5)`);
});

const digest = (rows: object[]) => createHash('sha256').update(JSON.stringify(rows)).digest('hex');

/** A digest of all rows of each table. */
function contentsOf(connectionString: string): Promise<Record<string, string>> {
  return withClient(connectionString, async (client) => {
    const contents: Record<string, string> = {};
    for (const { table } of await findTables(client)) {
      const { rows } = await client.query(`SELECT t::text AS row FROM "${table}" t ORDER BY 1`);
      contents[table] = digest(rows);
    }
    if (contents.charge) contents.counts = await countsOf(client);
    return contents;
  });
}

/** How many charges there are by the counts, which are made anew. */
async function countsOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    SELECT merchant_id, mode, day, method, status, sum(gain) AS count FROM (
      SELECT merchant_id, mode, start AS day, method, status, count AS gain FROM charge_count WHERE grain = 'day'
      UNION ALL
      SELECT merchant_id, mode, day, method, change.status, change.gain
      FROM charge_count_delta, LATERAL (VALUES (to_status, 1), (from_status, -1)) AS change(status, gain)
      WHERE change.status IS NOT NULL
    ) counts GROUP BY 1, 2, 3, 4, 5 HAVING sum(gain) <> 0 ORDER BY 1, 2, 3, 4, 5`);
  return digest(rows);
}

const newFile = async () => join(await createTempDir(onTestFinished), 'backup.gz');

test('a backup restored into an empty database is the same to the last row, and check says ok', async () => {
  const file = await newFile();
  const backup = await askCli(env, 'backup', file);
  expect(backup).toMatchObject({ file, rows: { charge: 24, checkout_session: 1 }, needs: 'APP_SECRET' });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = gunzipSync(await readFile(file)).toString();
  expect(text).not.toContain(testAppSecret);
  expect(text).not.toContain('agenda_jobs');

  const target = { ...env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
  expect((await askCli(target, 'restore', file)).rows).toEqual(backup.rows);
  expect(await contentsOf(target.DATABASE_URL)).toEqual(await contentsOf(service.connectionString));
  expect(await askCli(target, 'check')).toEqual({ ok: true, violations: [] });
  // Numbers that the database gives go on, and the service works there.
  await withClient(target.DATABASE_URL, (client) =>
    client.query(
      `INSERT INTO authentication_attempt (network, account_hash, not_before, created_at) VALUES ('a', 'b', now(), now())`,
    ),
  );

  const again = await runCli(target, ['restore', file, '--json']);
  expect(again).toMatchObject({
    code: 1,
    json: { error: { message: expect.stringContaining('not empty') } },
  });
  const over = await runCli(env, ['backup', file, '--json']);
  expect(over.json.error.message).toContain('already exists');
});

test('a database that has nothing of Causeway is no backup’s success', async () => {
  const file = await newFile();
  const { code, json } = await runCli({ ...env, DATABASE_URL: await createEmptyDatabase(onTestFinished) }, [
    'backup',
    file,
    '--json',
  ]);
  expect({ code, message: json.error.message }).toEqual({
    code: 1,
    message: 'The database has no Causeway tables: there is nothing to back up',
  });
  expect(await readdir(dirname(file))).toEqual([]);
});

test('what is committed while a backup runs is in it whole or not at all', async () => {
  const file = await newFile();
  let isDone = false;
  const backup = askCli(env, 'backup', file).finally(() => {
    isDone = true;
  });
  const made = await seedMerchant(service, { name: 'Kiosk' });
  for (let i = 0; !isDone; i++) await seedCharge(service, made, { input: { email: `late${i}@example.com` } });
  await backup;
  const target = { ...env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
  await askCli(target, 'restore', file);
  expect(await askCli(target, 'check')).toEqual({ ok: true, violations: [] });
});

describe('a backup that cannot be restored leaves the database without rows', () => {
  test('cut off, damaged, of another kind, or too new', async () => {
    const file = await newFile();
    await askCli(env, 'backup', file);
    const whole = await readFile(file);
    const text = gunzipSync(whole).toString();
    const target = await createEmptyDatabase(onTestFinished);
    const restore = () =>
      restoreBackup(target, { file, requireSecret: async () => {}, onProgress: () => {} });
    const cases: [Buffer, RegExp][] = [
      [whole.subarray(0, whole.length - 20), /damaged or truncated/],
      [gzipSync(text.slice(0, text.length / 2)), /damaged or truncated/],
      [gzipSync(text.replace(/\n(ev_[^\n]*\n)/, '\n')), /damaged or truncated/],
      [gzipSync(text.replace(/\tpending\t/, '\tpaid\t')), /enum charge_status/],
      [gzipSync('{"format":"another"}\n'), /not a Causeway backup/],
      [Buffer.from('plain text'), /not a Causeway backup/],
      [
        gzipSync(text.replace(/"name":"\d{14}_init"/, '"name":"20990101000000_later"')),
        /newer version.*_later/,
      ],
    ];
    for (const [bytes, message] of cases) {
      await writeFile(file, bytes);
      await expect(restore()).rejects.toThrow(message);
      // All tables are alike, since none has a row.
      expect(new Set(Object.values(await contentsOf(target))).size).toBeLessThan(2);
    }
    await writeFile(file, whole);
    await restore();
    expect(await contentsOf(target)).toEqual(await contentsOf(service.connectionString));
  });

  test('no file, or another secret than the one it was made with', async () => {
    const file = await newFile();
    await askCli(env, 'backup', file);
    const target = { ...env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
    const missing = await runCli(target, ['restore', '/no/such/file', '--json']);
    expect(missing).toMatchObject({
      code: 1,
      json: { error: { message: expect.stringContaining('Cannot read the file') } },
    });
    const secret = { APP_SECRET: 'another secret of more than 32 characters' };
    const { json } = await runCli({ ...target, ...secret }, ['restore', file, '--json']);
    expect(json.error.message).toContain('APP_SECRET does not match the backup');
    expect(await contentsOf(target.DATABASE_URL)).toEqual({});
  });
});

test('a backup of an older schema is restored into that schema, and then brought to the newest', async () => {
  const older = await createEmptyDatabase(onTestFinished);
  const [first] = await readMigrations();
  await migrate(older, [first!]);
  await withClient(older, (client) =>
    client.query(`INSERT INTO forex_rate VALUES ('feed', 'HKD', 'EUR', 9.2, now(), now())`),
  );
  const file = await newFile();
  expect((await askCli({ ...env, DATABASE_URL: older }, 'backup', file)).rows).toMatchObject({
    forex_rate: 1,
  });

  const target = { ...env, DATABASE_URL: await createEmptyDatabase(onTestFinished) };
  await askCli(target, 'restore', file);
  const { migrations } = await askCli(target, 'migrate');
  expect(migrations).toEqual((await readMigrations()).map(({ name }) => name));
  expect(await queryValue(target.DATABASE_URL, 'SELECT currency FROM forex_rate')).toBe('HKD');
});
