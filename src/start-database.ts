import { createServer } from 'node:net';
import { checkDatabase } from './kit/check-database.ts';
import type { Config } from './kit/config.ts';
import { lockDataDir } from './kit/embedded-postgres/data-dir-lock.ts';
import { keepRunning } from './kit/embedded-postgres/keep-running.ts';
import { startEmbeddedPostgres } from './kit/embedded-postgres.ts';

/**
 * `connectionString` may lead to a connection pooler in transaction mode. `directConnectionString` leads to PostgreSQL:
 * for LISTEN, session locks and long transactions.
 */
export type Database = {
  connectionString: string;
  directConnectionString: string;
  stop: () => Promise<void>;
};

/**
 * Locks DATA_DIR for this process if the embedded PostgreSQL is used; does nothing with DATABASE_URL. Throws
 * if another service holds the lock or DATA_DIR is not writable. Returns a function that releases the lock.
 */
export async function claimDataDir(config: Config): Promise<() => void> {
  if (config.databaseUrl !== undefined) return () => {};
  return (await lockDataDir(config.dataDir)).release;
}

/** Connects to DATABASE_URL, or starts the embedded PostgreSQL in DATA_DIR. Throws errors that say what to do. */
export async function openDatabase(config: Config, onProgress: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    onProgress('Connecting to PostgreSQL');
    const { databaseUrl, databaseDirectUrl = databaseUrl } = config;
    await checkDatabase('DATABASE_URL', databaseUrl);
    if (databaseDirectUrl !== databaseUrl) await checkDatabase('DATABASE_DIRECT_URL', databaseDirectUrl);
    return {
      connectionString: databaseUrl,
      directConnectionString: databaseDirectUrl,
      stop: async () => {},
    };
  }
  onProgress('Starting PostgreSQL');
  const start = () => startEmbeddedPostgres({ dataDir: config.dataDir, onProgress });
  const postgres = await start();
  const supervisor = keepRunning(postgres, { start, onProgress });
  const { connectionString } = postgres;
  return { connectionString, directConnectionString: connectionString, stop: supervisor.stop };
}

/**
 * Checks that the port is free before anything is started, and throws an explanation otherwise. For PORT=0, returns
 * a configuration with a free port, also in its public URL.
 */
export async function choosePort(config: Config): Promise<Config> {
  if (config.role === 'worker') return config;
  const probe = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListenError(error, config)));
    probe.listen({ host: config.host, port: config.port }, () => {
      const address = probe.address() as { port: number };
      probe.close(() => resolve(address.port));
    });
  });
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

function explainListenError(error: NodeJS.ErrnoException, config: Config): Error {
  const endpoint = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE')
    return new Error(`PORT: ${endpoint} is in use by another program. Set PORT to a free port.`);
  if (error.code === 'EACCES')
    return new Error(
      `PORT: this user is not allowed to listen on ${endpoint}. Set PORT to a port above 1023.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(`HOST: ${config.host} is not an address of this machine.`);
  return error;
}
