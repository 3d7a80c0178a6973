import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * What tells a live process from another one that got the same number later: its start time as the system writes it.
 * Undefined when no such process lives (a dead one that nobody has collected yet counts as dead).
 */
export async function readProcessStartTime(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const statLine = await readProc(pid, 'stat');
  // Fields are counted after the command name, which stands in brackets and may hold anything (proc(5)).
  const fields = statLine?.slice(statLine.lastIndexOf(')') + 2).split(' ');
  return fields === undefined || fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** The command line of a process, its words joined by spaces; undefined when it is not there or not ours to see. */
export async function readProcessCommand(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return ps(pid, 'command');
  const commandLine = await readProc(pid, 'cmdline');
  return commandLine?.replaceAll('\0', ' ').trimEnd();
}

/** Whether the kernel still knows the process number, even as a dead process that was not collected. */
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

async function ps(pid: number, column: string): Promise<string | undefined> {
  const run = promisify(execFile)('ps', ['-o', `${column}=`, '-p', String(pid)]);
  return run.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}
