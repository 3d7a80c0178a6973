import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import type { ClusterPaths } from './cluster-paths.ts';
import { changeOwner, run } from './run-as.ts';

/** The one user, which owns everything in the embedded database. */
export const databaseUser = 'causeway';

const logBytesMax = 5 * 1024 * 1024;

/**
 * The password, made once and kept beside the data, readable by its owner only.
 * Throws when it was lost: then nobody can get at the data.
 */
export async function readOrCreatePassword(paths: ClusterPaths): Promise<string> {
  const path = join(paths.root, 'password');
  const storedPassword = await readFile(path, 'utf8').catch(() => '');
  if (storedPassword !== '') return storedPassword;
  if (await hasCluster(paths)) throw new Error(`The database password is missing: restore ${path}`);
  const password = randomBytes(24).toString('base64url');
  await writeDurably(path, password);
  return password;
}

export async function hasCluster(paths: ClusterPaths): Promise<boolean> {
  return stat(join(paths.data, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

/**
 * Makes an empty database in a folder beside its place and moves it there when it is complete, so that being killed
 * in the middle leaves nothing half made. `sync` false (tests) does not wait for the disk.
 */
export async function createCluster(
  paths: ClusterPaths,
  binDir: string,
  password: string,
  sync: boolean,
): Promise<void> {
  const existingFiles = await readdir(paths.data).catch(() => []);
  if (existingFiles.length > 0)
    throw new Error(`${paths.data} contains files but no PostgreSQL database: move them elsewhere`);
  const workDir = await mkdtemp(join(paths.home, 'new-'));
  const passwordFile = join(workDir, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  await changeOwner(paths.runAs, workDir);
  const newDataDir = join(workDir, 'data');
  const { code, output } = await run(paths.runAs, join(binDir, 'initdb'), [
    `--pgdata=${newDataDir}`,
    `--username=${databaseUser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own C.UTF-8 sorts and folds alike on every machine, whatever its C library has.
    '--locale=C',
    ...(await getLocaleArguments(paths, binDir)),
    '--data-checksums',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]);
  if (code !== 0) throw new Error(`Cannot create the database in ${paths.home}:\n${output.trim()}`);
  await appendFile(join(newDataDir, 'postgresql.conf'), "\ninclude '../causeway.conf'\n");
  await rename(newDataDir, paths.data);
  await rm(workDir, { recursive: true, force: true });
  if (sync) await syncFolder(paths.home);
}

/** Removes what a start that was killed left half made. */
export async function clearLeftovers(paths: ClusterPaths): Promise<void> {
  for (const entry of await readdir(paths.home)) {
    // The initdb of a killed start may live a moment longer and still write into its folder.
    const options = { recursive: true, force: true, maxRetries: 5 };
    if (entry.startsWith('new-')) await rm(join(paths.home, entry), options);
  }
}

/**
 * Small and careful: nothing is given up of what protects data. Statements and row values stay out of the server's log
 * (they are customers' data); their errors reach the service itself.
 */
const defaultSettings = {
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
  paths: ClusterPaths,
  address: { port: number; socketDir: string },
  settings: Record<string, string>,
): Promise<void> {
  const allSettings = {
    ...defaultSettings,
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(address.port),
    unix_socket_directories: `"${address.socketDir}"`,
  };
  const lines = Object.entries(allSettings).map(([name, value]) => `${name} = '${escapeSetting(value)}'\n`);
  const path = join(paths.home, 'causeway.conf');
  await writeFile(path, `# Written by Causeway at each start.\n${lines.join('')}`, { mode: 0o644 });
}

function escapeSetting(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll("'", "''");
}

/** A log that PostgreSQL's user may write, set aside once it has grown large. Gives its length in bytes. */
export async function prepareLog(paths: ClusterPaths): Promise<number> {
  const size = await logSize(paths);
  if (size > logBytesMax) await rename(paths.log, `${paths.log}.1`);
  await (await open(paths.log, 'a', 0o600)).close();
  await changeOwner(paths.runAs, paths.log);
  return logSize(paths);
}

/** The last lines of PostgreSQL's log, of those written from that byte on. */
export async function readLogEnd(paths: ClusterPaths, fromByte: number): Promise<string> {
  const log = await readFile(paths.log).catch(() => Buffer.alloc(0));
  return log.subarray(fromByte).toString().trimEnd().split('\n').slice(-12).join('\n');
}

async function logSize(paths: ClusterPaths): Promise<number> {
  return stat(paths.log).then(
    (stats) => stats.size,
    () => 0,
  );
}

async function writeDurably(path: string, text: string): Promise<void> {
  const temporaryPath = `${path}.new`;
  await writeFile(temporaryPath, text, { mode: 0o600, flush: true });
  await rename(temporaryPath, path);
  await syncFolder(dirname(path));
}

/** Sorting by code points in UTF-8 whatever the system has; before PostgreSQL 17 the C locale alone does so. */
async function getLocaleArguments(paths: ClusterPaths, binDir: string): Promise<string[]> {
  const { output } = await run(paths.runAs, join(binDir, 'initdb'), ['--help']);
  return output.includes('--builtin-locale') ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
}
