import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { copyMadeDatabase } from './made-database.ts';
import { quickFolder } from './quick-folder.ts';

/** An empty folder for one test, removed after it (and after what the test registers later for its end). */
export async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  onTestFinished(removeAfterwards(path));
  return path;
}

/**
 * One DATA_DIR with an embedded database for all tests of a file, made before the first and removed after the last
 * (making one is most of what such a test costs). Every test leaves it stopped and in order.
 */
export function sharedDataDir(): () => string {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(quickFolder(), 'causeway-test-'));
    const remove = removeAfterwards(dataDir);
    if (!(await copyMadeDatabase(dataDir))) {
      const server = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
      await server.stop();
    }
    return remove;
  });
  return () => dataDir;
}

/**
 * Tests of being killed leave a PostgreSQL behind on purpose, and where the folder is a DATA_DIR perhaps services. A
 * process of its own ends them and removes the folder when told to, or when the test run is killed itself; then others
 * may still be writing there for a moment.
 */
export function removeAfterwards(folder: string): () => Promise<void> {
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
