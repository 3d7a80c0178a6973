import type { Service } from '../domain/service.ts';
import { settingsOf } from '../domain/service.ts';
import { startAnnouncer } from '../event/announcer.ts';
import { readOrMakeAppSecret } from '../kit/app-secret.ts';
import type { Config } from '../kit/config.ts';
import { closeDb, openDb } from '../kit/db.ts';
import { joinEmbeddedPostgres } from '../kit/embedded-postgres.ts';
import { migrate } from '../kit/migrate.ts';
import { makeSecrets } from '../kit/secrets.ts';

/**
 * Runs a command on the service's database: that of DATABASE_URL, or the embedded one, of a running service or started
 * for the while. What the command changes is announced, so that open pages and workers see it at once.
 */
export async function withService<T>(config: Config, run: (service: CliService) => Promise<T>): Promise<T> {
  const database = await openDatabase(config);
  const onError = (error: Error) => console.error(error.message);
  try {
    await migrate(database.connectionString);
    const announcer = startAnnouncer(database.connectionString, onError);
    const db = openDb({ connectionString: database.connectionString, poolSize: 4, onError });
    try {
      return await run({
        ...db,
        announce: announcer.announce,
        secrets: makeSecrets(database.appSecret),
        settings: settingsOf(config),
        connectionString: database.connectionString,
      });
    } finally {
      await announcer.stop();
      await closeDb(db);
    }
  } finally {
    await database.stop();
  }
}

/** What commands work with; backup and restore need the address of the database itself. */
export type CliService = Service & { connectionString: string };

async function openDatabase(config: Config) {
  if (config.databaseUrl !== undefined) {
    return {
      connectionString: config.databaseUrl,
      appSecret: config.appSecret as string,
      stop: async () => {},
    };
  }
  const postgres = await joinEmbeddedPostgres(config.dataDir);
  const appSecret = config.appSecret ?? (await readOrMakeAppSecret(config.dataDir));
  return { connectionString: postgres.connectionString, appSecret, stop: () => postgres.stop() };
}
