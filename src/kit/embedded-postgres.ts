import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPackage, findUsableBinaries } from './embedded-postgres/binaries.ts';
import {
  clearLeftovers,
  createCluster,
  hasCluster,
  readOrCreatePassword,
} from './embedded-postgres/cluster.ts';
import { type ClusterPaths, resolveClusterPaths } from './embedded-postgres/cluster-paths.ts';
import { assertNotUsedElsewhere, recordHostId } from './embedded-postgres/cross-host-guard.ts';
import { createDataDir, explainAccess } from './embedded-postgres/data-dir.ts';
import { acquireFileLock, type FileLock } from './embedded-postgres/file-lock.ts';
import {
  connectionString,
  findServer,
  type PostgresServer,
  removeStaleLocks,
  startServer,
  stopServer,
  waitUntilReady,
} from './embedded-postgres/server.ts';

export type EmbeddedPostgresOptions = {
  dataDir: string;
  /** Gets a line of plain English for each step that takes time or that the operator should know. */
  onProgress?: (line: string) => void;
  /** PostgreSQL settings for this start, over our own. A server that already runs keeps the ones it has. */
  settings?: Record<string, string>;
  /** For root only: forces the way in which PostgreSQL is kept from running as root. */
  runAs?: 'namespace' | 'nobody';
  /** Where the npm package with PostgreSQL's programs is, if not where Node finds it. */
  packageDir?: string;
};

export type EmbeddedPostgres = {
  /** To the database `causeway`, as its superuser. */
  connectionString: string;
  pid: number;
  port: number;
  /** Folder of the unix socket (quicker than TCP): `host` in a connection string, with the same port. */
  socketDir: string;
  /** True when the server was running already: left by a killed service, or in use by another process. */
  adopted: boolean;
  /** Lets go of the server, and stops it unless another process still uses it. Can be called twice. */
  stop(): Promise<void>;
};

type ServerContext = { paths: ClusterPaths; binDir: string; password: string };

// Long enough for another process to make the database, or to replay a large journal.
const startLockTimeoutMs = 180_000;
const startRetryMs = 10_000;
const startRetryPauseMs = 200;

/**
 * Starts PostgreSQL on DATA_DIR/postgres, making the database at the first start; or joins the one that runs there
 * already, be it an orphan of a killed service or in use by another process. The last user stops it.
 * Throws a plain Error with the end of PostgreSQL's log, or with what the operator can do (DATA_DIR, DATABASE_URL).
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const root = await createRoot(options.dataDir);
  // Starting and stopping are one at a time over all processes, so nobody stops what another has just joined.
  const startLock = await acquireStartLock(root, options.dataDir);
  try {
    const onProgress = options.onProgress ?? (() => {});
    const paths = await resolveClusterPaths(root, { onProgress, runAs: options.runAs });
    const binDir = await findUsableBinaries(paths.runAs, options.packageDir ?? findPackage(), paths.home);
    await clearLeftovers(paths);
    const context: ServerContext = { paths, binDir, password: await readOrCreatePassword(paths) };
    if (!(await hasCluster(paths))) await initializeDatabase(context, options, onProgress);
    const { server, adopted } = await ensureRunning(context, options, onProgress);
    const userLock = await acquireFileLock(join(root, 'users'), { shared: true });
    if (userLock === null) throw new Error(`${join(root, 'users')} is locked by another process`);
    return createHandle(context, server, adopted, () => releaseServer(context, userLock, options.dataDir));
  } finally {
    startLock.release();
  }
}

async function createRoot(dataDir: string): Promise<string> {
  const root = join(await createDataDir(dataDir), 'postgres');
  try {
    await mkdir(root, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    return root;
  } catch (error) {
    throw explainAccess(error, dataDir, 'written');
  }
}

async function acquireStartLock(root: string, dataDir: string): Promise<FileLock> {
  const startLock = await acquireFileLock(join(root, 'turn'), { waitMs: startLockTimeoutMs }).catch(
    (error: unknown) => {
      throw explainAccess(error, dataDir, 'written');
    },
  );
  if (startLock === null)
    throw new Error(`Timed out waiting for another process to start PostgreSQL in ${root}`);
  return startLock;
}

async function initializeDatabase(
  context: ServerContext,
  options: EmbeddedPostgresOptions,
  onProgress: (line: string) => void,
): Promise<void> {
  onProgress(`Creating the database in ${context.paths.data}`);
  await createCluster(context.paths, context.binDir, context.password, options.settings?.fsync !== 'off');
}

/** A start may fail for a while: the port was taken meanwhile, or what a killed server left is not yet cleared away. */
async function ensureRunning(
  context: ServerContext,
  options: EmbeddedPostgresOptions,
  onProgress: (line: string) => void,
): Promise<{ server: PostgresServer; adopted: boolean }> {
  const deadline = Date.now() + startRetryMs;
  for (;;) {
    const runningServer = await findReadyServer(context);
    if (runningServer !== null) {
      onProgress(`Using the PostgreSQL server that is already running (process ${runningServer.pid})`);
      return { server: runningServer, adopted: true };
    }
    await assertNotUsedElsewhere(context.paths);
    await removeStaleLocks(context.paths);
    await recordHostId(context.paths);
    const failure = await startServer(context.paths, context.binDir, options.settings ?? {});
    const startedServer = failure === null ? await findStartedServer(context) : null;
    if (startedServer !== null) return { server: startedServer, adopted: false };
    if (failure?.isTransient === false || Date.now() > deadline) {
      throw (
        failure?.error ?? new Error(`PostgreSQL exits immediately after starting: see ${context.paths.log}`)
      );
    }
    await delay(startRetryPauseMs);
  }
}

async function findReadyServer(context: ServerContext): Promise<PostgresServer | null> {
  const server = await findServer(context.paths);
  return server !== null && (await waitUntilReady(context.paths, server, context.password)) ? server : null;
}

/** Like `findAnswering`, for one that we started: it is not left behind when it cannot be used. */
async function findStartedServer(context: ServerContext): Promise<PostgresServer | null> {
  try {
    return await findReadyServer(context);
  } catch (error) {
    await stopServer(context.paths, context.binDir);
    throw error;
  }
}

function createHandle(
  context: ServerContext,
  server: PostgresServer,
  adopted: boolean,
  release: () => Promise<void>,
): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  return {
    connectionString: connectionString(server, context.password),
    ...server,
    adopted,
    stop(): Promise<void> {
      stopped ??= release();
      return stopped;
    },
  };
}

async function releaseServer(context: ServerContext, userLock: FileLock, dataDir: string): Promise<void> {
  const startLock = await acquireStartLock(context.paths.root, dataDir);
  try {
    userLock.release();
    await stopIfUnused(context);
  } finally {
    startLock.release();
  }
}

async function stopIfUnused(context: ServerContext): Promise<void> {
  const exclusiveLock = await acquireFileLock(join(context.paths.root, 'users'));
  try {
    if (exclusiveLock !== null) await stopServer(context.paths, context.binDir);
  } finally {
    exclusiveLock?.release();
  }
}
