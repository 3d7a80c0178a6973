import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OnCleanup } from '../setup/cleanup.ts';
import { getFastTempDir } from '../setup/fast-temp-dir.ts';
import { createDirRemover } from '../setup/temp-dir.ts';
import { copyMigratedCluster } from '../setup/test-postgres.ts';

/**
 * An empty DATA_DIR for the services of one test file. Whatever they leave behind is ended and removed after the last
 * test, and also when the test run itself is killed.
 */
export async function createProcessDataDir(onCleanup: OnCleanup): Promise<string> {
  const dataDir = await mkdtemp(join(getFastTempDir(), 'causeway-test-'));
  onCleanup(createDirRemover(dataDir));
  return dataDir;
}

/**
 * As `processDataDir`, with a migrated database of the service's, where the test run keeps one: its first start is
 * quick.
 */
export async function createMigratedDataDir(onCleanup: OnCleanup): Promise<string> {
  const dataDir = await createProcessDataDir(onCleanup);
  await copyMigratedCluster(dataDir);
  return dataDir;
}

/** The process number of the PostgreSQL in DATA_DIR, as its pid file says; undefined when it has none. */
export async function readPostgresPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}
