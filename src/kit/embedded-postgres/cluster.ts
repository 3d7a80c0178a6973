import { randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';
import type { ClusterPaths } from './cluster-paths.ts';
import { changeOwner, run } from './run-as.ts';

/** The only database user, which owns all objects. */
export const databaseUser = 'causeway';

const logBytesMax = 5 * 1024 * 1024;

/**
 * Returns the password, which is created once and stored next to the data, readable by its owner only. Throws
 * if the password is missing but the data exists, because the data is then inaccessible.
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
 * Creates an empty cluster in a temporary folder and moves it into place when complete, so that a killed start leaves
 * no partial cluster. With `sync: false`, for tests, does not wait for the disk.
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

/** Removes the temporary folders of starts that were killed. */
export async function clearLeftovers(paths: ClusterPaths): Promise<void> {
  for (const entry of await readdir(paths.home)) {
    // The initdb process of a killed start may still be writing into its folder.
    const options = { recursive: true, force: true, maxRetries: 5 };
    if (entry.startsWith('new-')) await rm(join(paths.home, entry), options);
  }
}

/**
 * Settings for small memory use and full durability. The server's log omits statements and row values, because they
 * contain customer data. The service still receives every error.
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

/** Writes the settings for the next start. `settings` override the defaults, but not the address and the socket. */
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

/**
 * Creates a log file that the PostgreSQL user can write, and rotates it if it is large. Returns its size in
 * bytes.
 */
export async function prepareLog(paths: ClusterPaths): Promise<number> {
  const size = await getLogSize(paths);
  if (size > logBytesMax) await rename(paths.log, `${paths.log}.1`);
  await (await open(paths.log, 'a', 0o600)).close();
  await changeOwner(paths.runAs, paths.log);
  return getLogSize(paths);
}

/** Returns the last 12 lines of PostgreSQL's log after `fromByte`. */
export async function readLogEnd(paths: ClusterPaths, fromByte: number): Promise<string> {
  const log = await readFile(paths.log).catch(() => Buffer.alloc(0));
  return log.subarray(fromByte).toString().trimEnd().split('\n').slice(-12).join('\n');
}

async function getLogSize(paths: ClusterPaths): Promise<number> {
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

/**
 * Returns initdb options for the built-in locale C.UTF-8, which sorts by code point and changes case in the same
 * way on every system. Before PostgreSQL 17, only the C locale does so.
 */
async function getLocaleArguments(paths: ClusterPaths, binDir: string): Promise<string[]> {
  const { output } = await run(paths.runAs, join(binDir, 'initdb'), ['--help']);
  return output.includes('--builtin-locale') ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
}
