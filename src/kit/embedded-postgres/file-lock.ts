import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A lock on a file (flock(2)). The kernel gives it back when the process ends, however it ends, so there is nothing
 * stale to clean up. The file itself is never removed: a removed file could be locked a second time under its old name.
 */
export type FileLock = { fd: number; release(): void };

export type FileLockOptions = {
  /** Several may hold a shared lock together; an exclusive one (the default) tolerates no other. */
  shared?: boolean;
  /** How long to wait for it; without it there is one try. */
  waitMs?: number;
};

const retryMs = 25;
const openFlags = constants.O_RDWR | constants.O_CREAT;
// open(2) on macOS takes the lock itself; Node does not name these two flags.
const darwinSharedLock = 0x10;
const darwinExclusiveLock = 0x20;

/** Takes the lock, or gives null when another holds it to the end of `waitMs`. Throws when the file cannot be opened. */
export async function acquireFileLock(path: string, options: FileLockOptions = {}): Promise<FileLock | null> {
  const deadline = Date.now() + (options.waitMs ?? 0);
  for (;;) {
    const fd = process.platform === 'darwin' ? openLocked(path, options) : await openThenLock(path, options);
    // A bare descriptor, not a FileHandle: that one would be closed, and the lock lost, by garbage collection.
    if (fd !== null) return { fd, release: releaseOnce(fd) };
    if (Date.now() >= deadline) return null;
    await delay(retryMs);
  }
}

/** A descriptor's number is given out again after it is closed: a second close would hit a stranger's file. */
function releaseOnce(fd: number): () => void {
  let isHeld = true;
  return () => {
    if (isHeld) closeSync(fd);
    isHeld = false;
  };
}

/**
 * Node has no flock. The tool of util-linux locks the open file that both share, and ends; the lock stays with our
 * descriptor, which no other child inherits.
 */
async function openThenLock(path: string, options: FileLockOptions): Promise<number | null> {
  const fd = openSync(path, openFlags, 0o600);
  try {
    const child = spawn('flock', ['--nonblock', options.shared ? '--shared' : '--exclusive', '3'], {
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
  const lock = options.shared ? darwinSharedLock : darwinExclusiveLock;
  try {
    return openSync(path, openFlags | constants.O_NONBLOCK | lock, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return null;
    throw error;
  }
}
