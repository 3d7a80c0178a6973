import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OnCleanup } from '../setup/cleanup.ts';

/** What a database needs with some load, and room that is soon filled. */
const sizeMb = 160;

export type SmallDisk = {
  folder: string;
  /** What a command has before it to see the disk. */
  commandPrefix: string[];
  /** Why there is no such disk here, and `folder` is one like any other. */
  obstacle?: string;
  /** Takes all the room that is left, and gives it back. */
  fill(): Promise<void>;
  free(): Promise<void>;
};

/**
 * A disk of a fixed size for the tests of one file: a tmpfs in a user and mount namespace of its own, which takes no
 * privileges where the machine allows such namespaces. It goes with the test run, also when that is killed.
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

/** Undefined once it is there, else why it cannot be. */
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
