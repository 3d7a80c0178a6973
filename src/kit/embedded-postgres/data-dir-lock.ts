import { ftruncateSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataDir, toDataDirError } from './data-dir.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';
import { readProcessStartTime } from './process-info.ts';

// A process that takes the lock writes its process ID within milliseconds. If the ID is still missing, or its
// process dead, after this time, the owner of the lock runs on another host.
const lockOwnerTimeoutMs = 2000;

/**
 * Takes the lock of a running service on DATA_DIR, and creates DATA_DIR if it is missing. Throws if another process
 * has the lock; the kernel releases the lock of a killed process immediately.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  await createDataDir(dataDir);
  const deadline = Date.now() + lockOwnerTimeoutMs;
  for (;;) {
    const lock = await acquireLock(dataDir);
    if (lock !== null) return writeLockOwner(lock);
    const owner = await readLockOwner(dataDir);
    if (owner?.isAlive || Date.now() > deadline) throw new Error(inUseMessage(dataDir, owner?.pid));
    await delay(20);
  }
}

function lockPath(dataDir: string): string {
  return join(resolve(dataDir), 'lock');
}

async function acquireLock(dataDir: string): Promise<FileLock | null> {
  try {
    return await acquireFileLock(lockPath(dataDir));
  } catch (error) {
    throw toDataDirError(error, dataDir, 'written');
  }
}

/**
 * Writes our process ID into the locked file, only for error messages of other processes. The kernel holds the
 * actual lock.
 */
async function writeLockOwner(lock: FileLock): Promise<{ release(): void }> {
  const startTime = await readProcessStartTime(process.pid);
  ftruncateSync(lock.fd);
  let isLocked = true;
  writeSync(lock.fd, `${process.pid} ${startTime ?? ''}\n`, 0);
  return {
    release(): void {
      if (isLocked) ftruncateSync(lock.fd);
      isLocked = false;
      lock.release();
    },
  };
}

async function readLockOwner(dataDir: string): Promise<{ pid: number; isAlive: boolean } | undefined> {
  const text = await readFile(lockPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw toDataDirError(error, dataDir, 'read');
  });
  const [, pid, startTime] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined) return undefined;
  // The start time distinguishes a live owner from a process that reuses the ID of a dead owner.
  return { pid: Number(pid), isAlive: (await readProcessStartTime(Number(pid))) === startTime };
}

function inUseMessage(dataDir: string, pid: number | undefined): string {
  const processHint = pid === undefined ? '' : ` (process ${pid})`;
  return `DATA_DIR (${resolve(dataDir)}) is in use by another Causeway instance${processHint}. Stop it, or use a different DATA_DIR.`;
}
