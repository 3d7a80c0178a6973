import type { Agenda, JobParameters } from 'agenda';
import { lockLifetimeMs } from './agenda.ts';

export type Schedule = { name: string; every: string };

/** Clocks of workers may differ by so much. */
const skewMs = lockLifetimeMs;

export type EnsuredSchedules = {
  /** The names of those that an operator has paused. */
  paused: string[];
  /** The names of those that a clock which was ahead had put off: they run again from now on. */
  postponed: string[];
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
  const existing = new Map(jobs.filter(({ type }) => type === 'single').map((job) => [job.name, job]));
  const result: EnsuredSchedules = { paused: [], postponed: [] };
  for (const { name, every } of schedules) {
    const job = existing.get(name);
    if (job?.disabled) result.paused.push(name);
    else if (job?.repeatInterval === every) {
      if (await resetSkewedJob(agenda, job, every)) result.postponed.push(name);
    } else {
      // Written over, it would keep its next time, which the old interval may have put far away.
      if (job) await agenda.cancel({ ids: [job._id] });
      await agenda.every(every, name);
    }
  }
  return result;
}

/**
 * Agenda writes down when a job began and when it is due again. After a clock was ahead these are times to come, and until
 * then nobody would run it: not when it is due, nor when the lock of a killed worker runs out. Answers whether it was so.
 */
async function resetSkewedJob(agenda: Agenda, job: JobParameters, every: string): Promise<boolean> {
  // As though it began now. At once would be too often where the clocks of two workers keep to differ.
  const { nextRunAt } = agenda.create(job.name).repeatEvery(every, { skipImmediate: true }).attrs;
  const { lockedAt, ...unlocked } = job;
  // Of a run under way the lock alone tells: the run would write the time down again, and is looked at after its end.
  const isAhead = lockedAt
    ? isTooFarAhead(lockedAt, new Date())
    : nextRunAt && job.nextRunAt && isTooFarAhead(job.nextRunAt, nextRunAt);
  if (!isAhead) return false;
  await agenda.db.saveJobState({ ...unlocked, nextRunAt }, undefined);
  return true;
}

function isTooFarAhead(time: Date, latest: Date): boolean {
  return time.getTime() > latest.getTime() + skewMs;
}
