import type { JobRepository } from 'agenda';

/**
 * Deletes one-off jobs that last started before `before` and will not run again, because they failed or their worker
 * died. Returns the number of deleted jobs.
 */
export async function purgeJobs(repository: JobRepository, options: { before: Date }): Promise<number> {
  const { jobs } = await repository.queryJobs();
  const endedJobs = jobs.filter(
    ({ type, nextRunAt, lockedAt, lastRunAt }) =>
      type === 'normal' && !nextRunAt && !lockedAt && lastRunAt && lastRunAt < options.before,
  );
  if (endedJobs.length === 0) return 0;
  return repository.removeJobs({ ids: endedJobs.map((job) => job._id) });
}
