import type { JobStore, JobStoreConfig } from './job-store.ts';

/** Opens the store and makes what it lacks; rejects when the database is not reachable. */
export async function openJobStore(
  config: JobStoreConfig,
  onError: (error: Error) => void,
): Promise<JobStore> {
  const { connectionString, mongodbUrl, processName } = config;
  // Each is loaded only when used: the drivers cost start time and memory.
  if (mongodbUrl) {
    const { openMongoJobStore } = await import('./mongo-job-store.ts');
    return openMongoJobStore({ mongodbUrl, processName }, onError);
  }
  const { openPostgresJobStore } = await import('./postgres-job-store.ts');
  return openPostgresJobStore({ connectionString, processName }, onError);
}
