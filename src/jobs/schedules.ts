import type { Agenda, JobParameters } from 'agenda';
import { lockLifetimeMs } from './agenda.ts';

export type Schedule = { name: string; every: string };

/** Clocks of workers may differ by so much. */
const skewMs = lockLifetimeMs;

export type EnsuredSchedules = {
  /** The names of those that an operator has paused. */
  paused: string[];
  /** The names of those that a clock which was ahead had put off: they run again from now on. */
  putOff: string[];
};

/**
 * Makes the schedules that are missing or have another interval, and brings back to now what a clock that was ahead has
 * left in the future. One that an operator has paused is left alone until it goes on: writing it again would switch it on.
 */
export async function ensureSchedules(
  agenda: Agenda,
  schedules: readonly Schedule[],
): Promise<EnsuredSchedules> {
  const { jobs } = await agenda.queryJobs({ names: schedules.map(({ name }) => name) });
  const present = new Map(jobs.filter(({ type }) => type === 'single').map((job) => [job.name, job]));
  const ensured: EnsuredSchedules = { paused: [], putOff: [] };
  for (const { name, every } of schedules) {
    const found = present.get(name);
    if (found?.disabled) ensured.paused.push(name);
    else if (found?.repeatInterval === every) {
      if (await bringBack(agenda, found, every)) ensured.putOff.push(name);
    } else {
      // Written over, it would keep its next time, which the old interval may have put far away.
      if (found) await agenda.cancel({ ids: [found._id] });
      await agenda.every(every, name);
    }
  }
  return ensured;
}

/**
 * Agenda writes down when a job began and when it is due again. After a clock was ahead these are times to come, and until
 * then nobody would run it: not when it is due, nor when the lock of a killed worker runs out. Answers whether it was so.
 */
async function bringBack(agenda: Agenda, job: JobParameters, every: string): Promise<boolean> {
  // As though it began now. At once would be too often where the clocks of two workers keep to differ.
  const { nextRunAt } = agenda.create(job.name).repeatEvery(every, { skipImmediate: true }).attrs;
  const { lockedAt, ...free } = job;
  // Of a run under way the lock alone tells: the run would write the time down again, and is looked at after its end.
  const isAhead = lockedAt
    ? isBeyond(lockedAt, new Date())
    : nextRunAt && job.nextRunAt && isBeyond(job.nextRunAt, nextRunAt);
  if (!isAhead) return false;
  await agenda.db.saveJobState({ ...free, nextRunAt }, undefined);
  return true;
}

function isBeyond(time: Date, latest: Date): boolean {
  return time.getTime() > latest.getTime() + skewMs;
}
