import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import type { TestPostgres } from './global-setup.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The file that gets the URL or the error when PostgreSQL has started or failed. */
    testPostgres: string;
  }
}

/** Waits for PostgreSQL, which starts while the test files load. */
export async function getTestPostgres(): Promise<TestPostgres> {
  const file = inject('testPostgres');
  for (;;) {
    const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (content === undefined) await delay(10);
    else return toTestPostgres(JSON.parse(content));
  }
}

function toTestPostgres(result: TestPostgres | { error: string }): TestPostgres {
  if ('error' in result) throw new Error(`There is no PostgreSQL for the tests: ${result.error}`);
  return result;
}

/**
 * Fills an empty DATA_DIR with a stopped, migrated PostgreSQL. Returns false if there is no cached cluster, because the
 * run uses another PostgreSQL or the checkout is read-only.
 */
export async function copyMigratedCluster(dataDir: string): Promise<boolean> {
  const { cachedCluster } = await getTestPostgres();
  if (cachedCluster === '') return false;
  await promisify(execFile)('cp', ['-a', `${cachedCluster}/.`, dataDir]);
  // Each copy needs its own port.
  await rm(join(dataDir, 'postgres', 'port'), { force: true });
  return true;
}
