import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { findTables } from '../../src/domain/operations/backup/find-tables.ts';
import { type RestoreOptions, restoreBackup } from '../../src/domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../../src/domain/operations/backup/write-backup.ts';
import { closeDb } from '../../src/kit/db.ts';
import { minuteMs } from '../../src/kit/duration.ts';
import { type Migration, migrate, readAppliedMigrations, readMigrations } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { callCli } from '../cli/run-cli.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { exerciseEveryFeature } from '../setup/exercise-every-feature.ts';
import { createFakeClock } from '../setup/fake-clock.ts';
import { fileTest } from '../setup/fixtures.ts';
import { setupGraphqlApp } from '../setup/graphql.ts';
import { seedCharge } from '../setup/seed.ts';
import { openService } from '../setup/service.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { payCharge } from '../setup/transfers.ts';
import { createServiceEnv } from './create-service-env.ts';
import { runServiceForTest } from './run-service.ts';

type OlderDatabase = {
  current: string;
  migrations: Migration[];
};

const test = fileTest.extend('older', { scope: 'file' }, async ({ onFileCleanup }) => {
  const older = {} as OlderDatabase;
  older.migrations = [...(await readMigrations()), nextMigration];
  const clock = createFakeClock(now);
  const app = await setupGraphqlApp(onFileCleanup, { clock });
  await exerciseEveryFeature(app, clock);
  await seedCharge(app.context.service, app.merchant, { input: { email: payer }, now: clock.now() });
  older.current = app.connectionString;
  return older;
});

/** The email address of the charge that is paid after the upgrade. */
const payer = 'pending@example.com';

/** Adds a column and fills it from existing rows, as a later version may do. */
const nextMigration: Migration = {
  name: '29990101000000_next',
  sql: `ALTER TABLE charge ADD COLUMN channel text COLLATE "C";
    UPDATE charge SET channel = method;
    ALTER TABLE charge ALTER COLUMN channel SET DEFAULT 'web';`,
};
const now = new Date();

/** Backs up a database, and returns the options to restore it. */
async function backUp(url: string): Promise<RestoreOptions> {
  const file = join(await createTempDir(onTestFinished), 'backup.gz');
  const options = { file, requireSecret: async () => {}, onProgress: () => {}, now };
  await withClient(url, (client) => writeBackup(client, options));
  return options;
}

test('A database with rows in every table migrates to the next schema, and pending charges complete', async ({
  older,
}) => {
  const url = await createEmptyDatabase(onTestFinished);
  const restored = await restoreBackup(url, await backUp(older.current));
  expect(await migrate(url, older.migrations)).toEqual([nextMigration.name]);
  expect(await countRows(url)).toEqual(restored);
  expect(await countFilledColumns(url)).toBe(restored.charge);

  const env = createServiceEnv(url);
  expect(await callCli(env, 'migrate')).toEqual({ migrations: older.migrations.map(({ name }) => name) });
  const { url: origin } = await runServiceForTest(onTestFinished, { ...env, ROLE: 'api' }).ready();
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  await payPendingCharge(url);
  expect(await callCli(env, 'check')).toEqual({ ok: true, violations: [] });
});

test('A backup of an older schema is restored into that schema and then migrated', async ({ older }) => {
  const url = await createEmptyDatabase(onTestFinished);
  const restored = await restoreBackup(url, {
    ...(await backUp(older.current)),
    migrations: older.migrations,
  });
  const applied = await withClient(url, readAppliedMigrations);
  expect(applied.map(({ name }) => name)).toEqual(older.migrations.map(({ name }) => name));
  expect(await countFilledColumns(url)).toBe(restored.charge);
});

test('A backup of a newer schema is rejected, and the database stays empty', async ({ older }) => {
  const url = await createEmptyDatabase(onTestFinished);
  await restoreBackup(url, { ...(await backUp(older.current)), migrations: older.migrations });
  const newer = await backUp(url);
  const target = await createEmptyDatabase(onTestFinished);
  await expect(restoreBackup(target, newer)).rejects.toThrow('Restore it with the version that created it');
  expect(await countRows(target)).toEqual({});
});

function countRows(url: string): Promise<Record<string, number>> {
  return withClient(url, async (client) => {
    const counts: Record<string, number> = {};
    for (const { table } of await findTables(client)) {
      const { rows } = await client.query(`SELECT count(*)::int AS count FROM "${table}"`);
      counts[table] = rows[0].count;
    }
    return counts;
  });
}

/** Counts the charges that the next migration has filled; new charges have the column's default. */
function countFilledColumns(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query('SELECT count(*)::int AS count FROM charge WHERE channel = method');
    return rows[0].count;
  });
}

async function payPendingCharge(connectionString: string): Promise<void> {
  const service = openService(connectionString);
  try {
    const charge = await service.prisma.charge.findFirstOrThrow({
      where: { email: payer },
      include: { merchant: true },
    });
    const times = { paidAt: charge.createdAt, now: new Date(charge.createdAt.getTime() + minuteMs) };
    const paid = await payCharge(service, charge, charge, times);
    expect(paid).toMatchObject({ status: 'matched', chargeId: charge.id });
    expect(await service.prisma.charge.findUnique({ where: { id: charge.id } })).toMatchObject({
      status: 'completed',
    });
  } finally {
    await closeDb(service);
  }
}
