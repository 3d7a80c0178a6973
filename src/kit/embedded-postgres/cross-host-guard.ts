import { readFile, readlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClusterPaths } from './cluster-paths.ts';
import { acquireFileLock } from './file-lock.ts';

/**
 * Throws if a PostgreSQL server in another container or on another machine uses this data. The local process list does
 * not show such a server, so a second server would start and corrupt the data.
 */
export async function assertNotUsedElsewhere(paths: ClusterPaths): Promise<void> {
  const [pid, , , port, socketDir] = await readLines(join(paths.data, 'postmaster.pid'));
  // PostgreSQL removes the file on an orderly shutdown.
  if (!pid) return;
  const socket = join(socketDir ?? '', `.s.PGSQL.${port}`);
  if (socketDir && (await isListening(socket))) throw new Error(getInUseMessage(paths));
  const [hostId] = await readLines(getHostIdPath(paths));
  // The server ran in the PID namespace of this process, where it would be visible if it were still running.
  if (hostId === (await readHostId())) return;
  const exclusiveLock = await acquireFileLock(join(paths.root, 'users'));
  if (exclusiveLock === null) throw new Error(getInUseMessage(paths));
  exclusiveLock.release();
}

/** Records the ID of this host, for processes that find the pid file of the server later. */
export async function recordHostId(paths: ClusterPaths): Promise<void> {
  await writeFile(getHostIdPath(paths), `${await readHostId()}\n`, { mode: 0o600 });
}

function getHostIdPath(paths: ClusterPaths): string {
  return join(paths.root, 'host-id');
}

/** Returns an ID of this boot and PID namespace. Processes that share both can see each other. */
async function readHostId(): Promise<string> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${bootId.trim()} ${namespace}`;
}

/**
 * Returns whether a server listens on the socket. In a folder that containers share, this may be a server in another
 * container.
 */
function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection({ path: socket });
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EAGAIN'));
  });
}

async function readLines(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8').catch(() => '')).split('\n');
}

function getInUseMessage(paths: ClusterPaths): string {
  return (
    `The database in ${paths.data} is in use by a Causeway process in another container or on another machine. ` +
    'Run the command there, or stop that process.'
  );
}
