import { chmod, lstat, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasShellSign } from './binaries.ts';
import { canEnter, findNobody, giveTo, isPossible, type RunAs } from './run-as.ts';

/**
 * Where things are. `root` is DATA_DIR/postgres, always ours: password, port, locks. `home` holds the data, the log
 * and the settings; it is `root` itself unless PostgreSQL's user cannot get there.
 */
export type Place = { root: string; home: string; data: string; log: string; runAs: RunAs };

export type PlaceOptions = { onProgress: (line: string) => void; runAs: 'namespace' | 'nobody' | undefined };

/** Decides, for this start, where PostgreSQL's files are and as whom it runs, and makes the folders. */
export async function findPlace(root: string, options: PlaceOptions): Promise<Place> {
  if (hasShellSign(root)) {
    throw new Error(`The path of DATA_DIR must not contain " $ \` \\ or a line break: ${root}`);
  }
  if (process.getuid?.() !== 0) return at(root, root, { kind: 'self' });
  const home = (await recallHome(root)) ?? root;
  const owner = await ownerOf(join(home, 'data', 'PG_VERSION'));
  if (owner !== null && owner.uid !== 0 && options.runAs === undefined) {
    return at(root, home, { kind: 'user', ...owner });
  }
  const candidates = await possibleUsers(options.runAs);
  for (const runAs of candidates) {
    if (await canEnter(runAs, home)) {
      if (owner !== null && owner.uid !== uidOf(runAs)) await giveTo(runAs, join(home, 'data'));
      return at(root, home, runAs);
    }
  }
  const [runAs] = candidates;
  if (runAs === undefined || owner !== null) throw new Error(rootRefusal(home));
  return at(root, await makeHomeElsewhere(root, runAs, options.onProgress), runAs);
}

/** Whether a database was made in DATA_DIR, or for it in another place. Makes nothing. */
export async function hasDatabase(dataDir: string): Promise<boolean> {
  const root = join(dataDir, 'postgres');
  if ((await readNote(join(root, 'location'))) !== undefined) return true;
  return (await ownerOf(join(root, 'data', 'PG_VERSION'))) !== null;
}

/**
 * The folder of the unix socket: the data itself, which only its owner may enter, or one in the temporary folder where
 * that path is longer than a socket's may be (unix(7): 108 bytes with the final zero, 104 on macOS).
 */
export async function findSocketDir(place: Place): Promise<string> {
  const pathMax = process.platform === 'darwin' ? 103 : 107;
  if (Buffer.byteLength(join(place.data, '.s.PGSQL.65535')) <= pathMax) return place.data;
  const note = join(place.root, 'socket-dir');
  const kept = await readNote(note);
  if (kept !== undefined && (await isFolderOf(kept, uidOf(place.runAs)))) return kept;
  const made = await mkdtemp(join(tmpdir(), 'causeway-socket-'));
  await giveTo(place.runAs, made);
  await writeFile(note, made, { mode: 0o600 });
  return made;
}

function at(root: string, home: string, runAs: RunAs): Place {
  return { root, home, data: join(home, 'data'), log: join(home, 'postgres.log'), runAs };
}

function uidOf(runAs: RunAs): number | undefined {
  return runAs.kind === 'user' ? runAs.uid : process.getuid?.();
}

async function possibleUsers(wanted: PlaceOptions['runAs']): Promise<RunAs[]> {
  const all: (RunAs | null)[] = [];
  if (wanted !== 'nobody' && process.platform === 'linux') all.push({ kind: 'namespace' });
  if (wanted !== 'namespace') all.push(await findNobody());
  const possible: RunAs[] = [];
  for (const runAs of all) if (runAs !== null && (await isPossible(runAs))) possible.push(runAs);
  return possible;
}

function rootRefusal(home: string): string {
  return (
    `PostgreSQL cannot run as root, and on this system it can run neither in a user namespace nor as the user nobody with its files in ${home}. ` +
    'Run Causeway as a non-root user, or set DATABASE_URL to your own PostgreSQL server.'
  );
}

/**
 * A folder that PostgreSQL's user can enter, remembered in DATA_DIR. Its name is random, so nobody can take it before
 * us.
 */
async function makeHomeElsewhere(root: string, runAs: RunAs, say: (line: string) => void): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'causeway-postgres-'));
  await chmod(home, 0o711);
  if (!(await canEnter(runAs, home))) throw new Error(rootRefusal(home));
  say(`PostgreSQL cannot run as root, and other users cannot access ${root}: its files are kept in ${home}`);
  await writeFile(join(root, 'location'), home, { mode: 0o600 });
  return home;
}

/**
 * Throws where the database was elsewhere and is there no more, such as in a temporary folder that was emptied: a new one
 * in its place would hide that all is lost.
 */
async function recallHome(root: string): Promise<string | undefined> {
  const home = await readNote(join(root, 'location'));
  if (home === undefined) return undefined;
  // Where PostgreSQL has had a port, it had its data too.
  const wasStarted = (await readNote(join(root, 'port'))) !== undefined;
  const isThere = await isFolderOf(home, 0);
  if (isThere && (!wasStarted || (await ownerOf(join(home, 'data', 'PG_VERSION'))) !== null)) return home;
  throw new Error(
    `The database was in ${home}, which no longer exists: restore it, or delete ${join(root, 'location')} to start with an empty database`,
  );
}

async function readNote(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

async function isFolderOf(path: string, uid: number | undefined): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === uid;
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | null> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}
