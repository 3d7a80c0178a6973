import type { Agenda, JobParameters } from 'agenda';
import { lockLifetimeMs } from './agenda.ts';

type Schedule = { name: string; every: string };

/** The largest difference between the clocks of workers that is tolerated. */
const skewMs = lockLifetimeMs;

type EnsuredSchedules = {
  /** The names of schedules that an operator has paused. */
  paused: string[];
  /** The names of schedules that a fast clock had postponed, and that are due again in one interval. */
  postponed: string[];
};

/**
 * Creates missing schedules, replaces those with another interval, and resets those that a fast clock has moved
 * into the future. Paused schedules do not change, because saving them would enable them.
 */
export async function ensureSchedules(
  agenda: Agenda,
  schedules: readonly Schedule[],
): Promise<EnsuredSchedules> {
  const { jobs } = await agenda.queryJobs({ names: schedules.map(({ name }) => name) });
  const existingJobs = new Map(jobs.filter(({ type }) => type === 'single').map((job) => [job.name, job]));
  const result: EnsuredSchedules = { paused: [], postponed: [] };
  for (const { name, every } of schedules) {
    const job = existingJobs.get(name);
    if (job?.disabled) result.paused.push(name);
    else if (job?.repeatInterval === every) {
      if (await resetSkewedJob(agenda, job, every)) result.postponed.push(name);
    } else {
      // An update would keep the next run time, which the old interval may have put far in the future.
      if (job) await agenda.cancel({ ids: [job._id] });
      await agenda.every(every, name);
    }
  }
  return result;
}

/**
 * Resets a job with times in the future, which Agenda stored while a clock was ahead. Otherwise the job would
 * not run before those times, neither when it is due nor when the lock of a killed worker should have expired.
 * Returns whether the job was reset.
 */
async function resetSkewedJob(agenda: Agenda, job: JobParameters, every: string): Promise<boolean> {
  // The job is next due in one interval, because two workers whose clocks differ would otherwise start it repeatedly.
  const { nextRunAt } = agenda.create(job.name).repeatEvery(every, { skipImmediate: true }).attrs;
  const { lockedAt, ...unlocked } = job;
  // Only the lock of an active run is checked, because the run saves its next time when it ends.
  const isSkewed = lockedAt
    ? isTooFarAhead(lockedAt, new Date())
    : nextRunAt && job.nextRunAt && isTooFarAhead(job.nextRunAt, nextRunAt);
  if (!isSkewed) return false;
  await agenda.db.saveJobState({ ...unlocked, nextRunAt }, undefined);
  return true;
}

function isTooFarAhead(time: Date, latest: Date): boolean {
  return time.getTime() > latest.getTime() + skewMs;
}
