import { join } from 'node:path';
import type pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { restoreBackup } from '../../../src/domain/operations/backup/restore-backup.ts';
import { tableOwners } from '../../../src/domain/operations/backup/table-owners.ts';
import { writeBackup } from '../../../src/domain/operations/backup/write-backup.ts';
import { keptTables, resetSandbox } from '../../../src/domain/operations/sandbox/reset-sandbox.ts';
import { foldChargeCounts } from '../../../src/domain/payments/charge-list/fold-charge-counts.ts';
import type { MerchantScope } from '../../../src/kit/merchant-scope.ts';
import { withClient, withTransaction } from '../../../src/kit/with-client.ts';
import { createEmptyDatabase } from '../../setup/database.ts';
import { exerciseEveryFeature, exerciseLiveMode } from '../../setup/exercise-every-feature.ts';
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

/** The tables with a mode, without the counts of charges, which are derived. */
async function findModeTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'mode' AND table_name NOT LIKE 'charge\\_count%'
     ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function findFullTables(
  client: pg.Client,
  tables: string[],
  { merchantId, mode }: MerchantScope,
): Promise<string[]> {
  const full: string[] = [];
  for (const table of tables) {
    const { rowCount } = await client.query(
      `SELECT FROM "${table}" WHERE merchant_id = $1 AND mode = $2 LIMIT 1`,
      [merchantId, mode],
    );
    if (rowCount) full.push(table);
  }
  return full;
}

/** Makes the live rows of a merchant those of its sandbox, without triggers, except the keys and accounts. */
function moveToSandbox(client: pg.Client, tables: string[], merchantId: string): Promise<void> {
  return withTransaction(client, async () => {
    await client.query('SET LOCAL session_replication_role = replica');
    for (const table of tables) {
      const ofSandbox = `merchant_id = $1 AND mode = 'sandbox'`;
      await client.query(`DELETE FROM "${table}" WHERE ${ofSandbox}`, [merchantId]);
      await client.query(`UPDATE "${table}" SET mode = 'sandbox' WHERE merchant_id = $1`, [merchantId]);
    }
    await client.query(`INSERT INTO event_counter (merchant_id, mode) VALUES ($1, 'live')`, [merchantId]);
    await client.query('DELETE FROM charge_count WHERE merchant_id = $1', [merchantId]);
    await client.query('DELETE FROM charge_count_delta WHERE merchant_id = $1', [merchantId]);
  });
}

/** All rows except those of a merchant's sandbox, as text, by table name. */
async function readOtherRows(client: pg.Client, merchantId: string): Promise<Record<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string; hasMode: boolean }>(
    `SELECT t.table_name AS name, c.column_name IS NOT NULL AS "hasMode" FROM information_schema.tables t
     LEFT JOIN information_schema.columns c ON c.table_schema = t.table_schema AND c.table_name = t.table_name
       AND c.column_name = 'mode'
     WHERE t.table_schema = current_schema() AND table_type = 'BASE TABLE' AND t.table_name NOT LIKE 'agenda\\_%'`,
  );
  const byTable: Record<string, string[]> = {};
  for (const { name, hasMode } of tables) {
    const owner = tableOwners[name];
    const isChild =
      typeof owner === 'object' && 'parentTable' in owner && owner.parentTable !== 'merchant_user';
    const parents = isChild ? `JOIN "${owner.parentTable}" p ON p.id = t."${owner.parentColumn}"` : '';
    const scope = isChild ? 'p' : 't';
    const { rows } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM "${name}" t ${parents} ${
        hasMode || isChild
          ? `WHERE (${scope}.merchant_id = '${merchantId}' AND ${scope}.mode = 'sandbox') IS NOT TRUE`
          : ''
      } ORDER BY 1`,
    );
    byTable[name] = rows.map(({ row }) => row);
  }
  return byTable;
}

test('a reset deletes the sandbox rows of every table but keys, settings and the audit trail, and no other row', async ({
  seeded: { app, clock },
}) => {
  const { service } = app.context;
  const merchantId = app.merchant.merchant.id;
  await withClient(app.connectionString, async (client) => {
    const tables = await findModeTables(client);
    const deletedTables = tables.filter((table) => !keptTables.includes(table));
    // Every feature is used in live mode, so its rows become those of the sandbox, and it is used again.
    await moveToSandbox(client, [...deletedTables, 'event_counter'], merchantId);
    await exerciseLiveMode(app, clock);
    await foldChargeCounts(service);
    for (const mode of ['sandbox', 'live'] as const)
      expect(await findFullTables(client, deletedTables, { merchantId, mode })).toEqual(deletedTables);
    const rows = await readOtherRows(client, merchantId);

    await resetSandbox(service, { merchantId, actor: 'operator', now: clock.now() });
    expect(await findFullTables(client, deletedTables, { merchantId, mode: 'sandbox' })).toEqual([]);
    expect(await readOtherRows(client, merchantId)).toEqual(rows);
  });
});
