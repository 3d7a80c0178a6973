import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import type { OnCleanup } from './cleanup.ts';
import { getFastTempDir } from './fast-temp-dir.ts';
import { copyMigratedCluster } from './test-postgres.ts';

/** Creates an empty folder, which is removed on cleanup. */
export async function createTempDir(onCleanup: OnCleanup, parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, 'causeway-test-'));
  onCleanup(createDirRemover(path));
  return path;
}

/**
 * `dataDir` has an embedded database for all tests of a file, because creating it is slow. Each test must leave it
 * stopped and consistent.
 */
export const dataDirTest = test.extend(
  'dataDir',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
  async ({}, { onCleanup }) => {
    const dataDir = await mkdtemp(join(getFastTempDir(), 'causeway-test-'));
    onCleanup(createDirRemover(dataDir));
    if (!(await copyMigratedCluster(dataDir))) {
      const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
      await server.stop();
    }
    return dataDir;
  },
);

/**
 * Returns a function that ends the PostgreSQL and the services that tests leave in a folder, and removes the folder. A
 * separate process does so, even if the test run is killed, and retries because other processes may still write there.
 */
export function createDirRemover(folder: string): () => Promise<void> {
  const script = `read -r _
    for pid in $(cut -d' ' -f1 "$1/lock" 2>/dev/null); do
      grep -qs launch.mjs "/proc/$pid/cmdline" && kill -KILL "$pid"
    done
    pid=$(head -n 1 "$1/postgres/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && sleep 1
    for _ in 1 2 3 4 5; do rm -rf "$1" 2>/dev/null && exit; sleep 1; done`;
  const remover = spawn('sh', ['-c', script, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  return async () => {
    remover.stdin.end();
    await once(remover, 'exit');
  };
}
