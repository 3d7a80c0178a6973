import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

/** `endedTicks` is the CPU time of children that have ended. */
type CpuUsage = { parent: number; ticks: number; endedTicks: number };

function readUsage(pid: number | string): CpuUsage | undefined {
  try {
    // The second field is the name in parentheses, which may contain any character.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    // state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
    const [parent, ...cpuFields] = [fields[1], ...fields.slice(11, 15)].map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = cpuFields;
    return { parent: parent!, ticks: user + system, endedTicks: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

/** Returns the CPU milliseconds that a process has used so far, with all its threads. */
export function processCpuMs(pid: number): number {
  return (readUsage(pid)?.ticks ?? 0) * msPerTick;
}

/**
 * Like {@link processCpuMs}, including the current and past children: PostgreSQL's backends and background
 * workers.
 */
export function processTreeCpuMs(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readUsage)
    .filter((usage) => usage?.parent === pid);
  const endedMs = (readUsage(pid)?.endedTicks ?? 0) * msPerTick;
  return (
    processCpuMs(pid) + endedMs + children.reduce((sum, usage) => sum + (usage?.ticks ?? 0) * msPerTick, 0)
  );
}

export const residentMiB = (pid: number): number => readMiB(pid, 'VmRSS');

/** The peak resident memory of a process. */
export const peakMiB = (pid: number): number => readMiB(pid, 'VmHWM');

function readMiB(pid: number, field: string): number {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(
    readFileSync(`/proc/${pid}/status`, 'latin1'),
  );
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}
