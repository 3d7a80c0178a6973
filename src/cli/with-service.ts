import { resolve } from 'node:path';
import { openSecrets } from '../domain/platform/secrets/open-secrets.ts';
import { pickSettings, type Service } from '../domain/platform/service.ts';
import { startAnnouncer } from '../event/announcer.ts';
import { commandApplicationName } from '../kit/application-names.ts';
import { systemClock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import { closeDb, openDb } from '../kit/db.ts';
import { minuteMs } from '../kit/duration.ts';
import { hasDatabase } from '../kit/embedded-postgres/cluster-paths.ts';
import { migrate } from '../kit/migrate.ts';
import { openReadReplicas } from '../kit/read-replicas.ts';
import { claimDataDir, type Database, openDatabase } from '../start-database.ts';

/** Transactions may take longer than in the service, because no client waits for a response. */
const timeouts = { connectionMs: 5_000, transactionMs: 2 * minuteMs };

/** A direct connection to PostgreSQL, not through a connection pooler. */
export type DirectDatabase = { connectionString: string };

/** `signal` aborts when the command is interrupted. */
type AbortOptions = { signal: AbortSignal };

/**
 * Throws if DATA_DIR has no database. A command without the service's environment would otherwise create an
 * empty one and succeed on it.
 */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== undefined || (await hasDatabase(dataDir))) return;
  const directory = resolve(dataDir);
  throw new Error(
    `No database found in DATA_DIR (${directory}): run the command with the environment of the service`,
  );
}

/**
 * Runs a command on the database of DATABASE_URL, or on the embedded PostgreSQL, which is started if it is not running.
 * If `signal` aborts, stops a PostgreSQL that was started and exits.
 */
export async function withDatabase<T>(
  config: Config,
  { signal, isExclusive }: AbortOptions & { isExclusive: boolean },
  run: (database: Database) => Promise<T>,
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
 * Runs a command with the service, after migrating the database. Changes are announced, so that open pages and
 * workers process them immediately.
 */
export function withService<T>(
  config: Config,
  abortOptions: AbortOptions,
  run: (service: Service, directConnectionString: string) => Promise<T>,
): Promise<T> {
  return withDatabase(config, { ...abortOptions, isExclusive: false }, async (database) => {
    const { connectionString, directConnectionString } = database;
    const onError = (error: Error) => console.error(error.message);
    await migrate(directConnectionString);
    const { secrets, stop } = await openSecrets(directConnectionString, { sources: config, onError });
    const announcer = startAnnouncer(connectionString, onError);
    const db = openDb({ connectionString, poolSize: 4, name: commandApplicationName, onError, timeouts });
    const replicas = openReadReplicas(config, { primary: db, clock: systemClock, onError });
    try {
      const service = { ...db, announce: announcer.announce, secrets, settings: pickSettings(config) };
      return await run({ ...service, ...(replicas && { replicas }) }, directConnectionString);
    } finally {
      await replicas?.stop();
      await announcer.stop();
      await closeDb(db);
      stop();
    }
  });
}
