import type { JobRepository } from 'agenda';

export async function releaseJobs(repository: JobRepository, processName: string): Promise<void> {
  const { jobs } = await repository.queryJobs();
  const lockedJobs = jobs.filter((job) => job.lockedAt && job.lastModifiedBy === processName);
  await repository.unlockJobs(lockedJobs.map((job) => job._id));
}
