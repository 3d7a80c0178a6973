import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { restoreBackup } from '../../../src/domain/operations/backup/restore-backup.ts';
import { writeBackup } from '../../../src/domain/operations/backup/write-backup.ts';
import { withClient } from '../../../src/kit/with-client.ts';
import { createEmptyDatabase } from '../../setup/database.ts';
import { createFakeClock } from '../../setup/fake-clock.ts';
import { setupGraphqlApp } from '../../setup/graphql.ts';
import { seedEveryFeature } from '../../setup/seed-every-feature.ts';
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

test('a restored backup contains every row of every table', async () => {
  const clock = createFakeClock(new Date());
  const app = await setupGraphqlApp(onTestFinished, { clock });
  await seedEveryFeature(app, clock);
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
