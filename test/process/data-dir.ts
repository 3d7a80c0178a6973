import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { atEnd } from '../setup/at-end.ts';
import { copyMadeDatabase } from '../setup/made-database.ts';
import { quickFolder } from '../setup/quick-folder.ts';

/** Ends what still runs in the folder, and removes it. */
const sweep = `read -r _
  for pid in $(cut -d' ' -f1 "$1/lock" 2>/dev/null); do
    grep -qs launch.mjs "/proc/$pid/cmdline" && kill -KILL "$pid"
  done
  pid=$(head -n 1 "$1/postgres/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null && sleep 0.5
  rm -rf "$1"`;

/**
 * An empty DATA_DIR for the services of one test file. Whatever they leave behind is ended and removed after the last
 * test, and also when the test run itself is killed: by a process that waits for the end of its input.
 */
export async function processDataDir(): Promise<string> {
  const dataDir = await mkdtemp(join(quickFolder(), 'causeway-test-'));
  const sweeper = spawn('sh', ['-c', sweep, 'sh', dataDir], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  atEnd(async () => {
    sweeper.stdin.end();
    await once(sweeper, 'exit');
  });
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
