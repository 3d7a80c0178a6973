import { chmod, lstat, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasShellMetacharacter } from './binaries.ts';
import { canEnter, changeOwner, findNobody, isSupported, type RunAs } from './run-as.ts';

/**
 * The paths of a cluster. `root` is DATA_DIR/postgres and belongs to Causeway: password, port, locks. `home` holds the
 * data, the log and the settings. It equals `root` unless the PostgreSQL user cannot access `root`.
 */
export type ClusterPaths = { root: string; home: string; data: string; log: string; runAs: RunAs };

type ClusterPathsOptions = {
  onProgress: (line: string) => void;
  runAs: 'namespace' | 'nobody' | undefined;
};

/** Decides the paths and the system user of PostgreSQL for this start, and creates the folders. */
export async function resolveClusterPaths(root: string, options: ClusterPathsOptions): Promise<ClusterPaths> {
  if (hasShellMetacharacter(root)) {
    throw new Error(`The path of DATA_DIR must not contain " $ \` \\ or a line break: ${root}`);
  }
  if (process.getuid?.() !== 0) return toClusterPaths(root, root, { kind: 'self' });
  const home = (await readHome(root)) ?? root;
  const owner = await findOwner(join(home, 'data', 'PG_VERSION'));
  if (owner !== null && owner.uid !== 0 && options.runAs === undefined) {
    return toClusterPaths(root, home, { kind: 'user', ...owner });
  }
  const candidates = await findPossibleUsers(options.runAs);
  for (const runAs of candidates) {
    if (await canEnter(runAs, home)) {
      if (owner !== null && owner.uid !== getUid(runAs)) await changeOwner(runAs, join(home, 'data'));
      return toClusterPaths(root, home, runAs);
    }
  }
  const [runAs] = candidates;
  if (runAs === undefined || owner !== null) throw new Error(getRootErrorMessage(home));
  return toClusterPaths(root, await createTemporaryHome(root, runAs, options.onProgress), runAs);
}

/** Returns whether DATA_DIR contains a database, or the location of one. Creates no files. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const root = join(dataDir, 'postgres');
  if ((await readStateFile(join(root, 'location'))) !== undefined) return true;
  return (await findOwner(join(root, 'data', 'PG_VERSION'))) !== null;
}

/**
 * Returns the folder of the unix socket: the data folder, which only its owner can enter, or a temporary
 * folder if that path is too long. The limit is 108 bytes with the final zero, 104 on macOS (unix(7)).
 */
export async function findSocketDir(paths: ClusterPaths): Promise<string> {
  const pathBytesMax = process.platform === 'darwin' ? 103 : 107;
  if (Buffer.byteLength(join(paths.data, '.s.PGSQL.65535')) <= pathBytesMax) return paths.data;
  const stateFile = join(paths.root, 'socket-dir');
  const savedDir = await readStateFile(stateFile);
  if (savedDir !== undefined && (await isFolderOwnedBy(savedDir, getUid(paths.runAs)))) return savedDir;
  const socketDir = await mkdtemp(join(tmpdir(), 'causeway-socket-'));
  await changeOwner(paths.runAs, socketDir);
  await writeFile(stateFile, socketDir, { mode: 0o600 });
  return socketDir;
}

function toClusterPaths(root: string, home: string, runAs: RunAs): ClusterPaths {
  return { root, home, data: join(home, 'data'), log: join(home, 'postgres.log'), runAs };
}

function getUid(runAs: RunAs): number | undefined {
  return runAs.kind === 'user' ? runAs.uid : process.getuid?.();
}

async function findPossibleUsers(requested: ClusterPathsOptions['runAs']): Promise<RunAs[]> {
  const candidates: (RunAs | null)[] = [];
  if (requested !== 'nobody' && process.platform === 'linux') candidates.push({ kind: 'namespace' });
  if (requested !== 'namespace') candidates.push(await findNobody());
  const possible: RunAs[] = [];
  for (const runAs of candidates) if (runAs !== null && (await isSupported(runAs))) possible.push(runAs);
  return possible;
}

function getRootErrorMessage(home: string): string {
  return (
    `PostgreSQL cannot run as root, and on this system it can run neither in a user namespace nor as the user nobody with its files in ${home}. ` +
    'Run Causeway as a non-root user, or set DATABASE_URL to your own PostgreSQL server.'
  );
}

/**
 * Creates a folder that the PostgreSQL user can enter, and records it in DATA_DIR. The name is random, so that no other
 * user can create the folder first.
 */
async function createTemporaryHome(
  root: string,
  runAs: RunAs,
  onProgress: (line: string) => void,
): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'causeway-postgres-'));
  await chmod(home, 0o711);
  if (!(await canEnter(runAs, home))) throw new Error(getRootErrorMessage(home));
  onProgress(
    `PostgreSQL cannot run as root, and other users cannot access ${root}: its files are kept in ${home}`,
  );
  await writeFile(join(root, 'location'), home, { mode: 0o600 });
  return home;
}

/**
 * Returns the folder that `createTemporaryHome` recorded, or undefined if there is none. Throws if the folder no longer
 * contains the database, for example because the system emptied its temporary folder: a new database would hide the
 * data loss.
 */
async function readHome(root: string): Promise<string | undefined> {
  const home = await readStateFile(join(root, 'location'));
  if (home === undefined) return undefined;
  // A recorded port means that PostgreSQL was started, so the data must exist.
  const wasStarted = (await readStateFile(join(root, 'port'))) !== undefined;
  const isHomePresent = await isFolderOwnedBy(home, 0);
  if (isHomePresent && (!wasStarted || (await findOwner(join(home, 'data', 'PG_VERSION'))) !== null))
    return home;
  throw new Error(
    `The database was in ${home}, which no longer exists: restore it, or delete ${join(root, 'location')} to start with an empty database`,
  );
}

async function readStateFile(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function isFolderOwnedBy(path: string, uid: number | undefined): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true && stats.uid === uid;
}

async function findOwner(path: string): Promise<{ uid: number; gid: number } | null> {
  const stats = await stat(path).catch(() => undefined);
  return stats === undefined ? null : { uid: stats.uid, gid: stats.gid };
}
