import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { copyWorkTree } from '../../scripts/copy-work-tree.ts';
import { readAppliedMigrations } from '../../src/kit/migrate.ts';
import { withClient } from '../../src/kit/with-client.ts';
import { callCli } from '../cli/run-cli.ts';
import { getDestination } from '../setup/checkout.ts';
import { createEmptyDatabase } from '../setup/database.ts';
import { seedCharge } from '../setup/seed.ts';
import { createTempDir } from '../setup/temp-dir.ts';
import { callRest, createTransferInput } from './call-rest.ts';
import { duringClientLoad, startProcess, clusterTest as test } from './cluster.ts';
import { createServiceEnv } from './create-service-env.ts';
import { projectRoot, runServiceForTest } from './run-service.ts';

/** A migration such as a later version may have: the processes of this version do not know its column and table. */
const nextMigration = {
  name: '29990101000000_next',
  sql: `ALTER TABLE charge ADD COLUMN channel text COLLATE "C" DEFAULT 'web';
    CREATE INDEX charge_channel ON charge (channel) WHERE channel <> 'web';
    CREATE TABLE channel (id text COLLATE "C" PRIMARY KEY);`,
};

/** Creates the sources of the next version. */
async function createNextVersion(): Promise<string> {
  const folder = await createTempDir(onTestFinished);
  copyWorkTree(projectRoot, folder);
  const migration = join(folder, 'prisma/migrations', nextMigration.name);
  await mkdir(migration);
  await writeFile(join(migration, 'migration.sql'), nextMigration.sql);
  return folder;
}

const readMigrationNames = async (url: string) =>
  (await withClient(url, readAppliedMigrations)).map(({ name }) => name);

test('Two API and two worker processes are upgraded one after the other without a failed request, and the backup goes back', {
  timeout: 300_000,
}, async ({ cluster }) => {
  const { connectionString } = cluster.service;
  const env = createServiceEnv(connectionString);
  const before = await readMigrationNames(connectionString);
  const charge = await seedCharge(cluster.service, cluster.merchant, { now: new Date() });
  const file = join(await createTempDir(onTestFinished), 'backup.gz');
  const next = await createNextVersion();

  await duringClientLoad(cluster, async () => {
    await callCli(env, 'backup', file);
    for (const place of [0, 1]) {
      const leaving = [cluster.running.api[place]!, cluster.running.worker[place]!];
      expect(await Promise.all(leaving.map((process) => process.end('SIGTERM')))).toEqual([0, 0]);
      await Promise.all([
        startProcess(cluster, 'api', place, next),
        startProcess(cluster, 'worker', place, next),
      ]);
      expect(await readMigrationNames(connectionString)).toEqual([...before, nextMigration.name]);
    }
  });
  expect(cluster.proxy.failed).toEqual([]);
  expect(await callCli(env, 'check')).toEqual({ ok: true, violations: [] });

  const restoredUrl = await createEmptyDatabase(onTestFinished);
  const restoredEnv = createServiceEnv(restoredUrl);
  await callCli(restoredEnv, 'restore', file);
  expect(await readMigrationNames(restoredUrl)).toEqual(before);
  const { url } = await runServiceForTest(onTestFinished, { ...restoredEnv, ROLE: 'all' }).ready();
  const transfer = createTransferInput(getDestination(charge), 128.5, 'bank-after-restore');
  const paid = await callRest(url, cluster.merchant.keys.live, '/transfers', { transfers: [transfer] });
  expect(paid.json).toMatchObject({ transfers: [{ status: 'matched', chargeId: charge.id }] });
  expect(await callCli(restoredEnv, 'check')).toEqual({ ok: true, violations: [] });
});
