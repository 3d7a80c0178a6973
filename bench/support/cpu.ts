import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second. */
const msPerTick = 10;

type Usage = { parent: number; ticks: number };

function readUsage(pid: number | string): Usage | undefined {
  try {
    // The second field is the name in brackets, which may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ');
    // state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime cutime cstime
    const [parent, user, system] = [fields[1], fields[11], fields[12]].map(Number);
    return { parent: parent!, ticks: user! + system! };
  } catch {
    return undefined;
  }
}

/** CPU milliseconds one process has used so far, with all its threads. */
export function processCpuMs(pid: number): number {
  return (readUsage(pid)?.ticks ?? 0) * msPerTick;
}

/** As `processCpuMs`, with the process's present children: PostgreSQL's backends and background workers. */
export function familyCpuMs(pid: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readUsage)
    .filter((usage) => usage?.parent === pid);
  return processCpuMs(pid) + children.reduce((sum, usage) => sum + (usage?.ticks ?? 0) * msPerTick, 0);
}

/** Resident memory in MiB. */
export function residentMiB(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}
