import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { waitForProcessExit } from '../setup/wait.ts';

/** Sends the signal to PostgreSQL and to each of its processes. */
export async function signalPostgres(pid: number, signal: NodeJS.Signals): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]);
  for (const processId of [pid, ...stdout.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(processId, signal);
    } catch {
      // The process has already ended.
    }
  }
}

/** Kills all processes of PostgreSQL, like the kernel when it is out of memory. */
export async function killPostgres(pid: number): Promise<void> {
  await signalPostgres(pid, 'SIGKILL');
  await waitForProcessExit(pid);
}
