/**
 * Runs an embedded PostgreSQL as the service does. The options are JSON in the first argument, and events are printed
 * as lines of JSON. Ends when its input ends or at SIGINT and SIGTERM, so that it also ends if its parent is killed.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { queryValue } from './query-value.ts';

/** `lock` acquires the service’s lock on DATA_DIR. `remove` removes DATA_DIR at the end. */
export type PostgresProcessOptions = Omit<EmbeddedPostgresOptions, 'onProgress'> & {
  lock?: boolean;
  remove?: boolean;
};

export type PostgresProcessLine =
  | { event: 'progress'; line: string }
  | {
      event: 'ready';
      connectionString: string;
      pid: number;
      port: number;
      socketDir: string;
      wasRunning: boolean;
    }
  | { event: 'failed'; message: string }
  | { event: 'draining'; answer: unknown };

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as PostgresProcessOptions);

async function main({ lock, remove, ...options }: PostgresProcessOptions): Promise<void> {
  // The parent may be gone, which must not prevent stopping PostgreSQL.
  process.stdout.on('error', () => {});
  const stopRequested = Promise.race([
    once(process.stdin.resume(), 'end'),
    once(process, 'SIGINT'),
    once(process, 'SIGTERM'),
  ]);
  try {
    if (lock) await lockDataDir(options.dataDir);
    const onProgress = (line: string) => print({ event: 'progress', line });
    const server = await startEmbeddedPostgres({ ...options, onProgress });
    const { stop, ...rest } = server;
    print({ event: 'ready', ...rest });
    await stopRequested;
    print({ event: 'draining', answer: await lastQuery(server.connectionString) });
    await stop();
  } catch (error) {
    print({ event: 'failed', message: (error as Error).message });
    process.exitCode = 1;
  } finally {
    if (remove) await rm(options.dataDir, { recursive: true, force: true });
  }
  // The input may still be open after a signal.
  process.exit();
}

/** Sends the last query of a service between the signal and the stop of PostgreSQL, which must succeed. */
function lastQuery(connectionString: string): Promise<unknown> {
  return queryValue(connectionString, 'SELECT 1').catch((error: Error) => error.message);
}

function print(line: PostgresProcessLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
