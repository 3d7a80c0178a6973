import { ftruncateSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createDataDir, explainAccess } from './data-dir.ts';
import { type FileLock, takeFileLock } from './file-lock.ts';
import { processStartMark } from './process-info.ts';

// A holder writes its number within milliseconds; who holds on longer without one that is alive is running elsewhere.
const patienceMs = 2000;

/**
 * The lock of a running service on DATA_DIR, which is made when missing. Of two that start at the same instant exactly
 * one gets it; the lock of a holder that died, by whatever signal, is free at once.
 * Throws an Error when another holds it ("is in use by another Causeway instance (process N)") or when DATA_DIR cannot
 * be written.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): void }> {
  await createDataDir(dataDir);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const lock = await takeLock(dataDir);
    if (lock !== null) return announce(lock);
    const holder = await readHolder(dataDir);
    if (holder?.alive || Date.now() > deadline) throw new Error(refusal(dataDir, holder?.pid));
    await delay(20);
  }
}

function lockPath(dataDir: string): string {
  return join(resolve(dataDir), 'lock');
}

async function takeLock(dataDir: string): Promise<FileLock | null> {
  try {
    return await takeFileLock(lockPath(dataDir));
  } catch (error) {
    throw explainAccess(error, dataDir, 'written');
  }
}

/** Writes who we are into the locked file, only for the message of those who are refused: the lock is the kernel's. */
async function announce(lock: FileLock): Promise<{ release(): void }> {
  const mark = await processStartMark(process.pid);
  ftruncateSync(lock.fd);
  let held = true;
  writeSync(lock.fd, `${process.pid} ${mark ?? ''}\n`, 0);
  return {
    release(): void {
      if (held) ftruncateSync(lock.fd);
      held = false;
      lock.release();
    },
  };
}

async function readHolder(dataDir: string): Promise<{ pid: number; alive: boolean } | undefined> {
  const text = await readFile(lockPath(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw explainAccess(error, dataDir, 'read');
  });
  const [, pid, mark] = /^(\d+) (.*)\n$/.exec(text) ?? [];
  if (pid === undefined) return undefined;
  // The start time tells a dead holder's number, since given to a stranger, from a holder that lives.
  return { pid: Number(pid), alive: (await processStartMark(Number(pid))) === mark };
}

function refusal(dataDir: string, pid: number | undefined): string {
  const who = pid === undefined ? '' : ` (process ${pid})`;
  return `DATA_DIR (${resolve(dataDir)}) is in use by another Causeway instance${who}. Stop it, or use a different DATA_DIR.`;
}
