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
import { createDataDir, toDataDirError } from './embedded-postgres/data-dir.ts';
import { acquireFileLock, type FileLock } from './embedded-postgres/file-lock.ts';
import {
  findServer,
  type PostgresServer,
  removeStaleLocks,
  startServer,
  stopServer,
  toConnectionString,
  waitUntilReady,
} from './embedded-postgres/server.ts';

export type EmbeddedPostgresOptions = {
  dataDir: string;
  /** Receives a line of text for each step that takes time or that the operator should know about. */
  onProgress?: (line: string) => void;
  /**
   * PostgreSQL settings for this start, which override our defaults. A server that is already running keeps
   * its settings.
   */
  settings?: Record<string, string>;
  /** For root only: forces how PostgreSQL avoids running as root. */
  runAs?: 'namespace' | 'nobody';
  /** The folder of the npm package with PostgreSQL's programs; by default, Node resolves the package. */
  packageDir?: string;
};

export type EmbeddedPostgres = {
  /** Connects to the database `causeway` as its superuser. */
  connectionString: string;
  pid: number;
  port: number;
  /**
   * The folder of the unix socket, which is faster than TCP. Use it as `host` in a connection string, with
   * the same port.
   */
  socketDir: string;
  /** True if the server was already running: left by a killed service, or used by another process. */
  wasRunning: boolean;
  /** Releases the server and stops it unless another process uses it. Safe to call twice. */
  stop(): Promise<void>;
};

type ServerContext = { paths: ClusterPaths; binDir: string; password: string };

// How long to wait for the start lock, whose owner may be creating the database or replaying a large
// write-ahead log.
const startLockTimeoutMs = 180_000;
const startRetryMs = 10_000;
const startRetryPauseMs = 200;

/**
 * Starts PostgreSQL on DATA_DIR/postgres and creates the database on the first start. Uses a server that is already
 * running there, whether a killed service left it behind or another process uses it. The last process that uses the
 * server stops it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const root = await createRoot(options.dataDir);
  // Starts and stops are serialized across processes, so that no process stops a server that another process has just
  // begun to use.
  const startLock = await acquireStartLock(root, options.dataDir);
  try {
    const onProgress = options.onProgress ?? (() => {});
    const paths = await resolveClusterPaths(root, { onProgress, runAs: options.runAs });
    const binDir = await findUsableBinaries(paths.runAs, options.packageDir ?? findPackage(), paths.home);
    await clearLeftovers(paths);
    const context: ServerContext = { paths, binDir, password: await readOrCreatePassword(paths) };
    if (!(await hasCluster(paths))) await initializeDatabase(context, options, onProgress);
    const { server, wasRunning } = await ensureRunning(context, options, onProgress);
    const userLock = await acquireFileLock(join(root, 'users'), { isShared: true });
    if (userLock === null) throw new Error(`${join(root, 'users')} is locked by another process`);
    return createHandle(context, server, wasRunning, () => releaseServer(context, userLock, options.dataDir));
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
    throw toDataDirError(error, dataDir, 'written');
  }
}

async function acquireStartLock(root: string, dataDir: string): Promise<FileLock> {
  const startLock = await acquireFileLock(join(root, 'start'), { waitMs: startLockTimeoutMs }).catch(
    (error: unknown) => {
      throw toDataDirError(error, dataDir, 'written');
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

/**
 * Returns the server, and starts it unless it is running. Retries for `startRetryMs`, because a start may fail
 * temporarily: the port was taken, or a killed server has not been cleaned up yet.
 */
async function ensureRunning(
  context: ServerContext,
  options: EmbeddedPostgresOptions,
  onProgress: (line: string) => void,
): Promise<{ server: PostgresServer; wasRunning: boolean }> {
  const deadline = Date.now() + startRetryMs;
  for (;;) {
    const runningServer = await findReadyServer(context);
    if (runningServer !== null) {
      onProgress(`Using the PostgreSQL server that is already running (process ${runningServer.pid})`);
      return { server: runningServer, wasRunning: true };
    }
    await assertNotUsedElsewhere(context.paths);
    await removeStaleLocks(context.paths);
    await recordHostId(context.paths);
    const failure = await startServer(context.paths, context.binDir, options.settings ?? {});
    const startedServer = failure === null ? await findStartedServer(context) : null;
    if (startedServer !== null) return { server: startedServer, wasRunning: false };
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

/** Like `findReadyServer`, but stops a server that does not respond in time, because this process has started it. */
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
  wasRunning: boolean,
  release: () => Promise<void>,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  return {
    connectionString: toConnectionString(server, context.password),
    ...server,
    wasRunning,
    stop(): Promise<void> {
      stopping ??= release();
      return stopping;
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
