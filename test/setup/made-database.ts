import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testPostgres } from './test-postgres.ts';

/**
 * Fills an empty DATA_DIR with a stopped PostgreSQL whose database is migrated: a copy of what the test run was started
 * from. False where it has none (another PostgreSQL, a checkout that cannot be written): then DATA_DIR stays empty.
 */
export async function copyMadeDatabase(dataDir: string): Promise<boolean> {
  const { keptCluster } = await testPostgres();
  if (keptCluster === '') return false;
  await promisify(execFile)('cp', ['-a', `${keptCluster}/.`, dataDir]);
  // Copies that run at once have a port each.
  await rm(join(dataDir, 'postgres', 'port'), { force: true });
  return true;
}
