import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Returns the start time of a process in the system's format, or undefined if the process is dead or a zombie. The
 * start time distinguishes the process from a later one with the same id.
 */
export async function readProcessStartTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return runPs(pid, 'lstart');
  const statLine = await readProc(pid, 'stat');
  // Fields are counted after the command name, which is in parentheses and may contain any characters
  // (proc(5)).
  const fields = statLine?.slice(statLine.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** Returns the command line, joined by spaces; undefined if the process does not exist or is not visible. */
export async function readProcessCommand(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return runPs(pid, 'command');
  const commandLine = await readProc(pid, 'cmdline');
  return commandLine?.replaceAll('\0', ' ').trimEnd();
}

/** Returns whether the kernel knows the process ID, including zombie processes. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function readProc(pid: number, file: string): Promise<string | undefined> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => undefined);
}

async function runPs(pid: number, column: string): Promise<string | undefined> {
  const run = promisify(execFile)('ps', ['-o', `${column}=`, '-p', String(pid)]);
  return run.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}
