import type { JobRepository } from 'agenda';

/** Unlocks the jobs that this process has locked. */
export async function releaseJobs(repository: JobRepository, processName: string): Promise<void> {
  const { jobs } = await repository.queryJobs();
  const lockedJobs = jobs.filter((job) => job.lockedAt && job.lastModifiedBy === processName);
  await repository.unlockJobs(lockedJobs.map((job) => job._id));
}
