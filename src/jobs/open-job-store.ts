import type { JobStore, JobStoreConfig } from './job-store.ts';

/** Opens the store and creates missing tables and indexes. */
export async function openJobStore(
  config: JobStoreConfig,
  onError: (error: Error) => void,
): Promise<JobStore> {
  const { connectionString, mongodbUrl, processName } = config;
  // Imported only when used, because the drivers cost startup time and memory.
  if (mongodbUrl) {
    const { openMongoJobStore } = await import('./mongo-job-store.ts');
    return openMongoJobStore({ mongodbUrl, processName }, onError);
  }
  const { openPostgresJobStore } = await import('./postgres-job-store.ts');
  return openPostgresJobStore({ connectionString, processName }, onError);
}
