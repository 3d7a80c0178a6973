import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnCleanup } from '../setup/cleanup.ts';

/** Enough for a database with some load, and small enough to be filled quickly. */
const sizeMb = 160;

export type SmallDisk = {
  folder: string;
  /** The prefix for commands that use the disk. */
  commandPrefix: string[];
  /** The reason if this machine allows no such disk; `folder` is then an ordinary folder. */
  obstacle?: string;
  /** Fills the disk; `free` makes the space available again. */
  fill(): Promise<void>;
  free(): Promise<void>;
};

/**
 * Creates a disk of a fixed size: a tmpfs in its own user and mount namespace, which requires no privileges. It is
 * removed on cleanup, and when the test run is killed.
 */
export async function openSmallDisk(onCleanup: OnCleanup): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  const mount = `mount -t tmpfs -o size=${sizeMb}m tmpfs "$1" && echo mounted && exec cat`;
  const keeper = spawn('unshare', ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, 'sh', folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  onCleanup(async () => {
    keeper.stdin.end();
    await rm(folder, { recursive: true, force: true });
  });
  const obstacle = await waitUntilMounted(keeper);
  const target = ['--target', String(keeper.pid), '--user', '--mount', '--preserve-credentials'];
  const commandPrefix = obstacle === undefined ? ['nsenter', ...target] : [];
  const run = async (...command: string[]) => {
    const [program, ...args] = [...commandPrefix, ...command];
    await once(spawn(program!, args, { stdio: 'ignore' }), 'close');
  };
  const ballast = join(folder, 'ballast');
  return {
    folder,
    commandPrefix: commandPrefix,
    ...(obstacle !== undefined && { obstacle }),
    fill: () => run('dd', 'if=/dev/zero', `of=${ballast}`, 'bs=64k'),
    free: () => run('rm', '-f', ballast),
  };
}

/** Waits for the disk; returns the reason if it cannot be mounted. */
async function waitUntilMounted(keeper: ChildProcess): Promise<string | undefined> {
  let errorOutput = '';
  keeper.stderr!.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const mounted = once(keeper.stdout!, 'data').then(() => undefined);
  const failed = Promise.race([once(keeper, 'error'), once(keeper, 'close')]).then(
    ([reason]) => errorOutput.trim() || String(reason),
    (error: Error) => error.message,
  );
  return Promise.race([mounted, failed]);
}
