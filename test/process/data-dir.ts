import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../setup/at-end.ts';
import { copyMadeDatabase } from '../setup/made-database.ts';
import { quickFolder } from '../setup/quick-folder.ts';
import { removeAfterwards } from '../setup/temporary-folder.ts';

/**
 * An empty DATA_DIR for the services of one test file. Whatever they leave behind is ended and removed after the last
 * test, and also when the test run itself is killed.
 */
export async function processDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(quickFolder(), 'causeway-test-'));
  atEnd(removeAfterwards(dataDir));
  return dataDir;
}

/**
 * As `processDataDir`, with a migrated database of the service's, where the test run keeps one: its first start is
 * quick.
 */
export async function madeDataDir(): Promise<string> {
  const dataDir = await processDataDir();
  await copyMadeDatabase(dataDir);
  return dataDir;
}

/** The process number of the PostgreSQL in DATA_DIR, as its pid file says; undefined when it has none. */
export async function postgresPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}
