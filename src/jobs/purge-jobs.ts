import type { JobRepository } from 'agenda';

/** Deletes one-off jobs that began before the time and will not run again: they failed, or were given up. */
export async function purgeJobs(repository: JobRepository, options: { before: Date }): Promise<number> {
  const { jobs } = await repository.queryJobs();
  const endedJobs = jobs.filter(
    ({ type, nextRunAt, lockedAt, lastRunAt }) =>
      type === 'normal' && !nextRunAt && !lockedAt && lastRunAt && lastRunAt < options.before,
  );
  if (endedJobs.length === 0) return 0;
  return repository.removeJobs({ ids: endedJobs.map((job) => job._id) });
}
