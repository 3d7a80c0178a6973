import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPackage, usableBinaries } from './embedded-postgres/binaries.ts';
import {
  clearLeftovers,
  createCluster,
  hasCluster,
  readOrMakePassword,
} from './embedded-postgres/cluster.ts';
import { createDataDir, explainAccess } from './embedded-postgres/data-dir.ts';
import { noteSeat, refuseWhereUsedElsewhere } from './embedded-postgres/elsewhere.ts';
import { type FileLock, takeFileLock } from './embedded-postgres/file-lock.ts';
import { findPlace, type Place } from './embedded-postgres/place.ts';
import {
  awaitAnswer,
  connectionString,
  findServer,
  removeStaleLocks,
  type Server,
  startServer,
  stopServer,
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

type Step = { place: Place; binDir: string; password: string };

// Long enough for another process to make the database, or to replay a large journal.
const othersTurnMs = 180_000;
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
  const turn = await waitForTurn(root, options.dataDir);
  try {
    const say = options.onProgress ?? (() => {});
    const place = await findPlace(root, { onProgress: say, runAs: options.runAs });
    const binDir = await usableBinaries(place.runAs, options.packageDir ?? findPackage(), place.home);
    await clearLeftovers(place);
    const step: Step = { place, binDir, password: await readOrMakePassword(place) };
    if (!(await hasCluster(place))) await makeDatabase(step, options, say);
    const { server, adopted } = await ensureRunning(step, options, say);
    const use = await takeFileLock(join(root, 'users'), { shared: true });
    if (use === null) throw new Error(`${join(root, 'users')} is locked by another process`);
    return handle(step, server, adopted, () => letGo(step, use, options.dataDir));
  } finally {
    turn.release();
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

async function waitForTurn(root: string, dataDir: string): Promise<FileLock> {
  const turn = await takeFileLock(join(root, 'turn'), { waitMs: othersTurnMs }).catch((error: unknown) => {
    throw explainAccess(error, dataDir, 'written');
  });
  if (turn === null) throw new Error(`Timed out waiting for another process to start PostgreSQL in ${root}`);
  return turn;
}

async function makeDatabase(
  step: Step,
  options: EmbeddedPostgresOptions,
  say: (line: string) => void,
): Promise<void> {
  say(`Creating the database in ${step.place.data}`);
  await createCluster(step.place, step.binDir, step.password, options.settings?.fsync !== 'off');
}

/** A start may fail for a while: the port was taken meanwhile, or what a killed server left is not yet cleared away. */
async function ensureRunning(
  step: Step,
  options: EmbeddedPostgresOptions,
  say: (line: string) => void,
): Promise<{ server: Server; adopted: boolean }> {
  const deadline = Date.now() + startRetryMs;
  for (;;) {
    const found = await findAnswering(step);
    if (found !== null) {
      say(`Using the PostgreSQL server that is already running (process ${found.pid})`);
      return { server: found, adopted: true };
    }
    await refuseWhereUsedElsewhere(step.place);
    await removeStaleLocks(step.place);
    await noteSeat(step.place);
    const failure = await startServer(step.place, step.binDir, options.settings ?? {});
    const started = failure === null ? await findStarted(step) : null;
    if (started !== null) return { server: started, adopted: false };
    if (failure?.passing === false || Date.now() > deadline) {
      throw failure?.error ?? new Error(`PostgreSQL exits immediately after starting: see ${step.place.log}`);
    }
    await delay(startRetryPauseMs);
  }
}

async function findAnswering(step: Step): Promise<Server | null> {
  const server = await findServer(step.place);
  return server !== null && (await awaitAnswer(step.place, server, step.password)) ? server : null;
}

/** Like `findAnswering`, for one that we started: it is not left behind when it cannot be used. */
async function findStarted(step: Step): Promise<Server | null> {
  try {
    return await findAnswering(step);
  } catch (error) {
    await stopServer(step.place, step.binDir);
    throw error;
  }
}

function handle(
  step: Step,
  server: Server,
  adopted: boolean,
  letGoOnce: () => Promise<void>,
): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  return {
    connectionString: connectionString(server, step.password),
    ...server,
    adopted,
    stop(): Promise<void> {
      stopped ??= letGoOnce();
      return stopped;
    },
  };
}

async function letGo(step: Step, use: FileLock, dataDir: string): Promise<void> {
  const turn = await waitForTurn(step.place.root, dataDir);
  try {
    use.release();
    await stopIfUnused(step);
  } finally {
    turn.release();
  }
}

async function stopIfUnused(step: Step): Promise<void> {
  const alone = await takeFileLock(join(step.place.root, 'users'));
  try {
    if (alone !== null) await stopServer(step.place, step.binDir);
  } finally {
    alone?.release();
  }
}
