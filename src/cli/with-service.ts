import { resolve } from 'node:path';
import { openSecrets } from '../domain/platform/secrets/open-secrets.ts';
import { pickSettings, type Service } from '../domain/platform/service.ts';
import { startAnnouncer } from '../event/announcer.ts';
import { commandApplicationName } from '../kit/application-names.ts';
import type { Config } from '../kit/config.ts';
import { closeDb, openDb } from '../kit/db.ts';
import { minuteMs } from '../kit/duration.ts';
import { hasDatabase } from '../kit/embedded-postgres/cluster-paths.ts';
import { migrate } from '../kit/migrate.ts';
import { claimDataDir, openDatabase } from '../start-database.ts';

/** Nobody waits for a command's answer at the other end, so its transactions may take longer than the service's. */
const timeouts = { connectionMs: 5_000, transactionMs: 2 * minuteMs };

/** What database commands work with. */
export type CliDatabase = { connectionString: string };

/** How a command is ended before its time. */
export type Interruption = { signal: AbortSignal };

/**
 * Refuses a DATA_DIR that has no database: a command that is called without the environment of the service would else
 * make one, find nothing in it, and call that a success.
 */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasDatabase(dataDir))) return;
  const directory = resolve(dataDir);
  throw new Error(
    `No database found in DATA_DIR (${directory}): run the command with the environment of the service`,
  );
}

/**
 * Runs a command on the service's database: that of DATABASE_URL, or the embedded one, of a running service or started
 * for the while. When `signal` comes, a PostgreSQL started for it is stopped and the process ends.
 */
export async function withDatabase<T>(
  config: Config,
  { signal, isExclusive }: Interruption & { isExclusive: boolean },
  run: (database: CliDatabase) => Promise<T>,
): Promise<T> {
  const release = isExclusive ? await claimDataDir(config) : () => {};
  try {
    const database = await openDatabase(config, () => {});
    const interrupt = () => void database.stop().finally(() => process.exit(130));
    if (signal.aborted) interrupt();
    signal.addEventListener('abort', interrupt);
    try {
      return await run(database);
    } finally {
      await database.stop();
    }
  } finally {
    release();
  }
}

/**
 * As `withDatabase`, with the newest schema. What the command changes is announced: open pages and workers see it at
 * once.
 */
export function withService<T>(
  config: Config,
  interruption: Interruption,
  run: (service: Service) => Promise<T>,
): Promise<T> {
  return withDatabase(config, { ...interruption, isExclusive: false }, async ({ connectionString }) => {
    const onError = (error: Error) => console.error(error.message);
    await migrate(connectionString);
    const { secrets, stop } = await openSecrets(connectionString, { sources: config, onError });
    const announcer = startAnnouncer(connectionString, onError);
    const db = openDb({ connectionString, poolSize: 4, name: commandApplicationName, onError, timeouts });
    try {
      return await run({ ...db, announce: announcer.announce, secrets, settings: pickSettings(config) });
    } finally {
      await announcer.stop();
      await closeDb(db);
      stop();
    }
  });
}
