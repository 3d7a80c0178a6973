import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A lock on a file (flock(2)). The kernel releases it when the process ends, so locks never become stale. The
 * file must not be removed: another process could then lock a new file of the same name.
 */
export type FileLock = { fd: number; release(): void };

type FileLockOptions = {
  /** Several processes may hold a shared lock; an exclusive one (the default) excludes all others. */
  isShared?: boolean;
  /** How long to wait for the lock; by default, tries only once. */
  waitMs?: number;
};

const retryMs = 25;
const openFlags = constants.O_RDWR | constants.O_CREAT;
// On macOS, open(2) takes the lock itself. Node does not define these two flags.
const darwinSharedLock = 0x10;
const darwinExclusiveLock = 0x20;

/** Takes the lock, or returns null if another process still has it after `waitMs`. */
export async function acquireFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock | null> {
  const deadline = Date.now() + (options.waitMs ?? 0);
  for (;;) {
    const fd = process.platform === 'darwin' ? openLocked(path, options) : await openThenLock(path, options);
    // The lock is a raw descriptor, because garbage collection closes a FileHandle, which would release the lock.
    if (fd !== null) return { fd, release: releaseOnce(fd) };
    if (Date.now() >= deadline) return null;
    await delay(retryMs);
  }
}

/**
 * Returns a function that closes the descriptor only once, because its number may be reused for an unrelated
 * file.
 */
function releaseOnce(fd: number): () => void {
  let isLocked = true;
  return () => {
    if (isLocked) closeSync(fd);
    isLocked = false;
  };
}

/**
 * Opens a file and locks it. Node has no flock(2), so the program `flock` inherits the descriptor, locks the open
 * file description that both processes share, and exits. The lock stays until this process closes its descriptor,
 * which no other child process inherits.
 */
async function openThenLock(path: string, options: FileLockOptions): Promise<number | null> {
  const fd = openSync(path, openFlags, 0o600);
  try {
    const child = spawn('flock', ['--nonblock', options.isShared ? '--shared' : '--exclusive', '3'], {
      stdio: ['ignore', 'ignore', 'ignore', fd],
      detached: true,
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === 0) return fd;
    if (code !== 1) throw new Error(`Cannot lock ${path}: flock exited with code ${code}`);
  } catch (error) {
    closeSync(fd);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('The program flock (package util-linux) is required to lock DATA_DIR', { cause: error });
  }
  closeSync(fd);
  return null;
}

function openLocked(path: string, options: FileLockOptions): number | null {
  const lock = options.isShared ? darwinSharedLock : darwinExclusiveLock;
  try {
    return openSync(path, openFlags | constants.O_NONBLOCK | lock, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}
