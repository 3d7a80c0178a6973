import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readDataKeys } from '../../src/domain/platform/secrets/data-keys.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { closeDb, openDb } from '../../src/kit/db.ts';
import { startEmbeddedPostgres } from '../../src/kit/embedded-postgres.ts';
import { migrate } from '../../src/kit/migrate.ts';
import { openKeyring } from '../../src/kit/secrets.ts';

export const benchAppSecret = 'the secret of the benchmarks, 32 characters and more';

export type BenchDatabase = {
  service: Service;
  connectionString: string;
  /** The process ID of PostgreSQL's main process. */
  postgresPid: number;
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * Starts a PostgreSQL with the current schema in the folder `name`, which is an absolute path or below BENCH_DATA_DIR
 * (by default in the system's temporary folder). Later runs reuse the folder, which saves the seeding. PostgreSQL has
 * its default settings, so commits wait for the disk.
 */
export async function openBenchDatabase(name: string): Promise<BenchDatabase> {
  const dataDir = resolve(process.env.BENCH_DATA_DIR ?? join(tmpdir(), 'causeway-bench'), name);
  await mkdir(dataDir, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir });
  const { connectionString } = postgres;
  await migrate(connectionString);
  const db = openDb({ connectionString, poolSize: 10, onError: (error) => console.error(error.message) });
  const settings = {
    publicUrl: 'http://127.0.0.1:4000',
    allowPrivateTargets: true,
    exchangeRateFeeds: [],
    checkoutChargesMax: 500,
  };
  const sources = { appSecret: benchAppSecret, appSecretPrevious: undefined, dataDir };
  const secrets = await openKeyring(() => readDataKeys(db.pool, sources));
  return {
    service: { ...db, secrets, settings },
    connectionString,
    postgresPid: postgres.pid,
    async [Symbol.asyncDispose]() {
      await closeDb(db);
      await postgres.stop();
    },
  };
}
