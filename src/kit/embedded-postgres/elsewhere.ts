import { readFile, readlink, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { takeFileLock } from './file-lock.ts';
import type { Place } from './place.ts';

/**
 * Refuses to start PostgreSQL on data on which another one lives that no list of processes shows here: in another
 * container, or on another machine. PostgreSQL itself would not see it either, and both would write.
 */
export async function refuseWhereUsedElsewhere(place: Place): Promise<void> {
  const [pid, , , port, socketDir] = await readLines(join(place.data, 'postmaster.pid'));
  // It is removed by a PostgreSQL that ends in order.
  if (!pid) return;
  const socket = join(socketDir ?? '', `.s.PGSQL.${port}`);
  if (socketDir && (await isListening(socket))) throw new Error(refusal(place));
  const [seat] = await readLines(seatFile(place));
  // Those of its own seat would be seen: only it itself has died.
  if (seat === (await findSeat())) return;
  const alone = await takeFileLock(join(place.root, 'users'));
  if (alone === null) throw new Error(refusal(place));
  alone.release();
}

/** Notes where this start is, for those that find its pid file. */
export async function noteSeat(place: Place): Promise<void> {
  await writeFile(seatFile(place), `${await findSeat()}\n`, { mode: 0o600 });
}

function seatFile(place: Place): string {
  return join(place.root, 'seat');
}

/** What processes share that see each other: the machine, since it was started, and the namespace of process numbers. */
async function findSeat(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname());
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return `${boot.trim()} ${namespace}`;
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

function refusal(place: Place): string {
  return (
    `The database in ${place.data} is in use by a Causeway process in another container or on another machine. ` +
    'Run the command there, or stop that process.'
  );
}
