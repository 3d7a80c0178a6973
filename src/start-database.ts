import { createServer } from 'node:net';
import { readOrMakeAppSecret } from './kit/app-secret.ts';
import type { Config } from './kit/config.ts';
import { lockDataDir } from './kit/embedded-postgres/data-dir-lock.ts';
import { startEmbeddedPostgres } from './kit/embedded-postgres.ts';

export type Database = { connectionString: string; appSecret: string; stop: () => Promise<void> };

/**
 * The PostgreSQL of DATABASE_URL, or the embedded one in DATA_DIR, which this process then holds alone. Errors say what
 * the operator can do: another service on DATA_DIR, a port in use, a folder that cannot be written.
 */
export async function openDatabase(config: Config, say: (line: string) => void): Promise<Database> {
  if (config.databaseUrl !== undefined) {
    await requireFreePort(config);
    return {
      connectionString: config.databaseUrl,
      appSecret: config.appSecret as string,
      stop: async () => {},
    };
  }
  const lock = await lockDataDir(config.dataDir);
  try {
    await requireFreePort(config);
    say('Starting PostgreSQL');
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, onProgress: say });
    if (postgres.adopted) say('Went on with the PostgreSQL that an earlier run left behind');
    const stop = async () => {
      await postgres.stop();
      lock.release();
    };
    const appSecret = config.appSecret ?? (await readOrMakeAppSecret(config.dataDir));
    return { connectionString: postgres.connectionString, appSecret, stop };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Said before anything is started, not after PostgreSQL is up. */
async function requireFreePort(config: Config): Promise<void> {
  if (config.role === 'worker' || config.port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListen(error, config)));
    probe.listen({ host: config.host, port: config.port }, () => probe.close(() => resolve()));
  });
}

function explainListen(error: NodeJS.ErrnoException, config: Config): Error {
  const at = `${config.host}:${config.port}`;
  if (error.code === 'EADDRINUSE')
    return new Error(`PORT: ${at} is in use by another program. Set PORT to a free one.`);
  if (error.code === 'EACCES')
    return new Error(`PORT: this user may not listen on ${at}. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL') return new Error(`HOST: ${config.host} is no address of this machine.`);
  return error;
}
