import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

type CpuUsage = { parentPid: number; ticks: number; endedChildrenTicks: number };

function readUsage(pid: number | string): CpuUsage | undefined {
  try {
    // The second field is the name in parentheses, which may contain any character; the other fields follow its end.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    // state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
    const [parentPid, ...cpuFields] = [fields[1], ...fields.slice(11, 15)].map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = cpuFields;
    return { parentPid: parentPid!, ticks: user + system, endedChildrenTicks: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** Returns the CPU milliseconds that a process has used so far, with all its threads. */
export function readProcessCpuMs(pid: number): number {
  return (readUsage(pid)?.ticks ?? 0) * msPerTick;
}

/**
 * Like {@link readProcessCpuMs}, including the current and the ended child processes, which for PostgreSQL are the
 * backends and background workers.
 */
export function readProcessTreeCpuMs(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readUsage)
    .filter((usage) => usage?.parentPid === pid);
  const endedChildrenMs = (readUsage(pid)?.endedChildrenTicks ?? 0) * msPerTick;
  return (
    readProcessCpuMs(pid) +
    endedChildrenMs +
    children.reduce((sum, usage) => sum + (usage?.ticks ?? 0) * msPerTick, 0)
  );
}

export const readResidentMiB = (pid: number): number => readMiB(pid, 'VmRSS');

export const readPeakMiB = (pid: number): number => readMiB(pid, 'VmHWM');

function readMiB(pid: number, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'latin1'),
  );
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}
