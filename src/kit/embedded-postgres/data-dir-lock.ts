import { ftruncateSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataDir, explainAccess } from './data-dir.ts';
import { acquireFileLock, type FileLock } from './file-lock.ts';
import { readProcessStartTime } from './process-info.ts';

// A holder writes its number within milliseconds; who holds on longer without one that is alive is running elsewhere.
const holderTimeoutMs = 2000;

/**
 * The lock of a running service on DATA_DIR, which is made when missing. Of two that start at the same instant exactly
 * one gets it; the lock of a holder that died, by whatever signal, is free at once.
 * Throws an Error when another holds it ("is in use by another Causeway instance (process N)") or when DATA_DIR cannot
 * be written.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  await createDataDir(dataDir);
  const deadline = Date.now() + holderTimeoutMs;
  for (;;) {
    const lock = await acquireLock(dataDir);
    if (lock !== null) return writeHolder(lock);
    const holder = await readHolder(dataDir);
    if (holder?.isAlive || Date.now() > deadline) throw new Error(inUseMessage(dataDir, holder?.pid));
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
    throw explainAccess(error, dataDir, 'written');
  }
}

/** Writes who we are into the locked file, only for the message of those who are refused: the lock is the kernel's. */
async function writeHolder(lock: FileLock): Promise<{ release(): void }> {
  const startTime = await readProcessStartTime(process.pid);
  ftruncateSync(lock.fd);
  let isHeld = true;
  writeSync(lock.fd, `${process.pid} ${startTime ?? ''}\n`, 0);
  return {
    release(): void {
      if (isHeld) ftruncateSync(lock.fd);
      isHeld = false;
      lock.release();
    },
  };
}

async function readHolder(dataDir: string): Promise<{ pid: number; isAlive: boolean } | undefined> {
  const text = await readFile(lockPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw explainAccess(error, dataDir, 'read');
  });
  const [, pid, startTime] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined) return undefined;
  // The start time tells a dead holder's number, since given to a stranger, from a holder that lives.
  return { pid: Number(pid), isAlive: (await readProcessStartTime(Number(pid))) === startTime };
}

function inUseMessage(dataDir: string, pid: number | undefined): string {
  const processHint = pid === undefined ? '' : ` (process ${pid})`;
  return `DATA_DIR (${resolve(dataDir)}) is in use by another Causeway instance${processHint}. Stop it, or use a different DATA_DIR.`;
}
