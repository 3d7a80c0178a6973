import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { restoreBackup } from '../../../src/domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../../../src/domain/operations/backup/write-backup.ts';
import { keptTables, resetSandbox } from '../../../src/domain/operations/sandbox/reset-sandbox.ts';
import { withClient, withTransaction } from '../../../src/kit/with-client.ts';
import { createEmptyDatabase } from '../../setup/database.ts';
import { exerciseEveryFeature } from '../../setup/exercise-every-feature.ts';
import { createFakeClock } from '../../setup/fake-clock.ts';
import { fileTest } from '../../setup/fixtures.ts';
import { setupGraphqlApp } from '../../setup/graphql.ts';
import { createTempDir } from '../../setup/temp-dir.ts';

/** Derived by triggers while a backup is restored, so they are not part of it. */
const derived = ['charge_count', 'charge_count_delta', 'search_entry'];

/** The rows of every table, as text, by table name. PostgreSQL lists the tables, so that new ones are included. */
function readRows(connectionString: string): Promise<Record<string, string[]>> {
  return withClient(connectionString, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'
         AND table_name <> '_prisma_migrations' AND table_name NOT LIKE 'agenda\\_%'`,
    );
    const byTable: Record<string, string[]> = {};
    for (const { name } of tables.filter(({ name }) => !derived.includes(name))) {
      const { rows } = await client.query<{ row: string }>(
        `SELECT t::text AS row FROM "${name}" t ORDER BY 1`,
      );
      byTable[name] = rows.map(({ row }) => row);
    }
    return byTable;
  });
}

const test = fileTest.extend('seeded', { scope: 'file' }, async ({ onFileCleanup }) => {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onFileCleanup, { clock });
  await exerciseEveryFeature(app, clock);
  return { app, clock };
});

test('a restored backup contains every row of every table', async ({ seeded: { app, clock } }) => {
  const { id } = app.otherMerchant.merchant;
  await app.context.service.prisma.merchant.update({ where: { id }, data: { moveStatus: 'paused' } });
  const options = {
    file: join(await createTempDir(onTestFinished), 'backup.gz'),
    requireSecret: async () => {},
    onProgress: () => {},
    now: clock.now(),
  };
  await withClient(app.connectionString, (client) => writeBackup(client, options));
  const restored = await createEmptyDatabase(onTestFinished);
  await restoreBackup(restored, options);

  const rows = await readRows(app.connectionString);
  const empty = Object.keys(rows).filter((table) => rows[table]!.length === 0);
  expect(empty).toEqual([]);
  expect(await readRows(restored)).toEqual(rows);
});

async function findFullTables(client: pg.Client, tables: string[], merchantId: string): Promise<string[]> {
  const full: string[] = [];
  for (const table of tables) {
    const { rowCount } = await client.query(
      `SELECT FROM "${table}" WHERE merchant_id = $1 AND mode = 'sandbox' LIMIT 1`,
      [merchantId],
    );
    if (rowCount) full.push(table);
  }
  return full;
}

test('a reset of a sandbox deletes the rows of every table but keys, settings and the audit trail', async ({
  seeded: { app, clock },
}) => {
  const { connectionString } = app;
  const merchantId = app.merchant.merchant.id;
  await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
       WHERE table_schema = current_schema() AND column_name = 'mode' AND table_name NOT LIKE 'charge\\_count%'
       ORDER BY 1`,
    );
    const tables = rows.map(({ name }) => name);
    // Every feature was used in live mode, so the rows become those of a sandbox, without triggers.
    await withTransaction(client, async () => {
      await client.query('SET LOCAL session_replication_role = replica');
      for (const table of tables) {
        await client.query(`DELETE FROM "${table}" WHERE merchant_id = $1 AND mode = 'sandbox'`, [
          merchantId,
        ]);
        await client.query(`UPDATE "${table}" SET mode = 'sandbox' WHERE merchant_id = $1`, [merchantId]);
      }
      await client.query('UPDATE merchant SET sandbox_only = true WHERE id = $1', [merchantId]);
    });
    expect(await findFullTables(client, tables, merchantId)).toEqual(tables);
    const options = { merchantId, connectionString, actor: 'operator', now: clock.now() };
    await resetSandbox({ ...options, onProgress: () => {} });
    expect(await findFullTables(client, tables, merchantId)).toEqual(
      tables.filter((table) => keptTables.includes(table)),
    );
  });
});
