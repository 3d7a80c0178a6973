import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnCleanup } from '../setup/cleanup.ts';
import { getFastTempDir } from '../setup/fast-temp-dir.ts';
import { createDirRemover } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';

/**
 * Creates an empty DATA_DIR. Remaining processes and files are removed on cleanup, and also when the test run
 * is killed.
 */
export async function createProcessDataDir(onCleanup: OnCleanup): Promise<string> {
  const dataDir = await mkdtemp(join(getFastTempDir(), 'causeway-test-'));
  onCleanup(createDirRemover(dataDir));
  return dataDir;
}

/** The same with a migrated database, if the test run has one, so that the first start is fast. */
export async function createMigratedDataDir(onCleanup: OnCleanup): Promise<string> {
  const dataDir = await createProcessDataDir(onCleanup);
  await copyMigratedCluster(dataDir);
  return dataDir;
}

/** The process number of the PostgreSQL in DATA_DIR; undefined without a pid file. */
export async function readPostgresPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}
