import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import type { Place } from './place.ts';
import { giveTo, run } from './run-as.ts';

/** The one user, which owns everything in the embedded database. */
export const databaseUser = 'causeway';

const logBytesMax = 5 * 1024 * 1024;

/**
 * The password, made once and kept beside the data, readable by its owner only.
 * Throws when it was lost: then nobody can get at the data.
 */
export async function readOrMakePassword(place: Place): Promise<string> {
  const path = join(place.root, 'password');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  if (await hasCluster(place)) throw new Error(`The database password is missing: restore ${path}`);
  const password = randomBytes(24).toString('base64url');
  await writeDurably(path, password);
  return password;
}

export async function hasCluster(place: Place): Promise<boolean> {
  return stat(join(place.data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Makes an empty database in a folder beside its place and moves it there when it is complete, so that being killed
 * in the middle leaves nothing half made. `sync` false (tests) does not wait for the disk.
 */
export async function createCluster(
  place: Place,
  binDir: string,
  password: string,
  sync: boolean,
): Promise<void> {
  const inTheWay = await readdir(place.data).catch(() => []);
  if (inTheWay.length > 0)
    throw new Error(`${place.data} contains files but no PostgreSQL database: move them elsewhere`);
  const work = await mkdtemp(join(place.home, 'new-'));
  const passwordFile = join(work, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await giveTo(place.runAs, work);
  const made = join(work, 'data');
  const { code, output } = await run(place.runAs, join(binDir, 'initdb'), [
    `--pgdata=${made}`,
    `--username=${databaseUser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own C.UTF-8 sorts and folds alike on every machine, whatever its C library has.
    '--locale=C',
    ...(await localeArguments(place, binDir)),
    '--data-checksums',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]);
  if (code !== 0) throw new Error(`Cannot create the database in ${place.home}:\n${output.trim()}`);
  await appendFile(join(made, 'postgresql.conf'), "\ninclude '../causeway.conf'\n");
  await rename(made, place.data);
  await rm(work, { recursive: true, force: true });
  if (sync) await syncFolder(place.home);
}

/** Removes what a start that was killed left half made. */
export async function clearLeftovers(place: Place): Promise<void> {
  for (const entry of await readdir(place.home)) {
    // The initdb of a killed start may live a moment longer and still write into its folder.
    const options = { recursive: true, force: true, maxRetries: 5 };
    if (entry.startsWith('new-')) await rm(join(place.home, entry), options);
  }
}

/**
 * Small and careful: nothing is given up of what protects data. Statements and row values stay out of the server's log
 * (they are customers' data); their errors reach the service itself.
 */
const ownSettings = {
  max_connections: '100',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

/** Writes the settings for the next start. Those of the caller win over ours, but for address and socket. */
export async function writeSettings(
  place: Place,
  address: { port: number; socketDir: string },
  settings: Record<string, string>,
): Promise<void> {
  const all = {
    ...ownSettings,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(address.port),
    unix_socket_directories: `"${address.socketDir}"`,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${escapeSetting(value)}'\n`);
  const path = join(place.home, 'causeway.conf');
  await writeFile(path, `# Written by Causeway at each start.\n${lines.join('')}`, { mode: 0o644 });
}

function escapeSetting(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''");
}

/** A log that PostgreSQL's user may write, set aside once it has grown large. Gives its length in bytes. */
export async function prepareLog(place: Place): Promise<number> {
  const size = await logSize(place);
  if (size > logBytesMax) await rename(place.log, `${place.log}.1`);
  await (await open(place.log, 'a', 0o600)).close();
  await giveTo(place.runAs, place.log);
  return logSize(place);
}

/** The last lines of PostgreSQL's log, of those written from that byte on. */
export async function readLogEnd(place: Place, fromByte: number): Promise<string> {
  const log = await readFile(place.log).catch(() => Buffer.alloc(0));
  return log.subarray(fromByte).toString().trimEnd().split('\n').slice(-12).join('\n');
}

async function logSize(place: Place): Promise<number> {
  return stat(place.log).then(
    (found) => found.size,
    () => 0,
  );
}

async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Sorting by code points in UTF-8 whatever the system has; before PostgreSQL 17 the C locale alone does so. */
async function localeArguments(place: Place, binDir: string): Promise<string[]> {
  const { output } = await run(place.runAs, join(binDir, 'initdb'), ['--help']);
  return output.includes('--builtin-locale') ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
}
