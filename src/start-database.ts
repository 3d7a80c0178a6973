import { createServer } from 'node:net';
import { checkDatabase } from './kit/check-database.ts';
import type { Config } from './kit/config.ts';
import { lockDataDir } from './kit/embedded-postgres/data-dir-lock.ts';
import { startEmbeddedPostgres } from './kit/embedded-postgres.ts';

export type Database = { connectionString: string; stop: () => Promise<void> };

/**
 * The PostgreSQL of DATABASE_URL, or the embedded one in DATA_DIR, which this process then holds alone. Errors say what
 * the operator can do: another service on DATA_DIR, a folder that cannot be written, a database that does not answer.
 */
export async function openDatabase(config: Config, say: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    say('Connecting to PostgreSQL');
    await checkDatabase(config.databaseUrl);
    return { connectionString: config.databaseUrl, stop: async () => {} };
  }
  const lock = await lockDataDir(config.dataDir);
  try {
    say('Starting PostgreSQL');
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: say });
    const stop = async () => {
      await postgres.stop();
      lock.release();
    };
    return { connectionString: postgres.connectionString, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Proves that the port is free, before anything is started. PORT=0 takes any free one, and the address in links is then
 * that of the port found.
 */
export async function choosePort(config: Config): Promise<Config> {
  if (config.role === 'worker') return config;
  const probe = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListen(error, config)));
    probe.listen({ host: config.host, port: config.port }, () => {
      const address = probe.address() as { port: number };
      probe.close(() => resolve(address.port));
    });
  });
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0$/, `:${port}`) };
}

function explainListen(error: NodeJS.ErrnoException, config: Config): Error {
  const at = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE')
    return new Error(`PORT: ${at} is in use by another program. Set PORT to a free one.`);
  if (error.code === 'EACCES')
    return new Error(`PORT: this user may not listen on ${at}. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return new Error(`HOST: ${config.host} is no address of this machine.`);
  return error;
}
