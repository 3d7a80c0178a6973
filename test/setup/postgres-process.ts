/**
 * A process that holds an embedded PostgreSQL as the service does, for tests: started with its options as JSON, it
 * prints what happens as lines of JSON, and ends in order when its input ends or at SIGINT and SIGTERM. So it also ends
 * when whoever started it is killed.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { lockDataDir } from '../../src/kit/embedded-postgres/data-dir-lock.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { askDatabase } from './ask-database.ts';

/** `lock`: as the service, with its lock on DATA_DIR. `remove`: removes DATA_DIR at the end. */
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
      adopted: boolean;
    }
  | { event: 'refused'; message: string }
  | { event: 'draining'; answer: unknown };

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '') as PostgresProcessOptions);

async function main({ lock, remove, ...options }: PostgresProcessOptions): Promise<void> {
  // Whoever listened may be gone: that must not keep us from stopping PostgreSQL.
  process.stdout.on('error', () => {});
  const ended = Promise.race([
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
    await ended;
    print({ event: 'draining', answer: await lastQuery(server.connectionString) });
    await stop();
  } catch (error) {
    print({ event: 'refused', message: (error as Error).message });
    process.exitCode = 1;
  } finally {
    if (remove) await rm(options.dataDir, { recursive: true, force: true });
  }
  // The input may be open still, after a signal.
  process.exit();
}

/** What a service does after the signal and before it stops PostgreSQL: its last queries must still be answered. */
function lastQuery(connectionString: string): Promise<unknown> {
  return askDatabase(connectionString, 'SELECT 1').catch((error: Error) => error.message);
}

function print(line: PostgresProcessLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
