import { readFile, readlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { ClusterPaths } from './cluster-paths.ts';
import { acquireFileLock } from './file-lock.ts';

/**
 * Refuses to start PostgreSQL on data on which another one lives that no list of processes shows here: in another
 * container, or on another machine. PostgreSQL itself would not see it either, and both would write.
 */
export async function assertNotUsedElsewhere(paths: ClusterPaths): Promise<void> {
  const [pid, , , port, socketDir] = await readLines(join(paths.data, 'postmaster.pid'));
  // It is removed by a PostgreSQL that ends in order.
  if (!pid) return;
  const socket = join(socketDir ?? '', `.s.PGSQL.${port}`);
  if (socketDir && (await isListening(socket))) throw new Error(inUseMessage(paths));
  const [hostId] = await readLines(hostIdFile(paths));
  // Those of its own seat would be seen: only it itself has died.
  if (hostId === (await readHostId())) return;
  const exclusiveLock = await acquireFileLock(join(paths.root, 'users'));
  if (exclusiveLock === null) throw new Error(inUseMessage(paths));
  exclusiveLock.release();
}

/** Notes where this start is, for those that find its pid file. */
export async function recordHostId(paths: ClusterPaths): Promise<void> {
  await writeFile(hostIdFile(paths), `${await readHostId()}\n`, { mode: 0o600 });
}

function hostIdFile(paths: ClusterPaths): string {
  return join(paths.root, 'seat');
}

/** What processes share that see each other: the machine, since it was started, and the namespace of process numbers. */
async function readHostId(): Promise<string> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${bootId.trim()} ${namespace}`;
}

/** The socket of a PostgreSQL that died refuses; a folder that is shared leads to one in another container. */
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

function inUseMessage(paths: ClusterPaths): string {
  return (
    `The database in ${paths.data} is in use by a Causeway process in another container or on another machine. ` +
    'Run the command there, or stop that process.'
  );
}
