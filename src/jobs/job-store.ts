import type { JobRepository } from 'agenda';

export type JobStoreConfig = {
  /** PostgreSQL; holds the jobs unless `mongodbUrl` is given. */
  connectionString: string;
  /** MongoDB; the database is the one its path names. */
  mongodbUrl?: string | undefined;
  /** Unique to the process: it marks the jobs that the process has locked. */
  processName: string;
};

/** Where Agenda keeps its jobs. Nothing in it must survive: schedules are made again at start, wakes are hints. */
export type JobStore = {
  name: 'PostgreSQL' | 'MongoDB';
  repository: JobRepository;
  /** Deletes one-off jobs that ended, or were given up, before the time; answers how many. */
  purge(options: { before: Date }): Promise<number>;
  /**
   * Waits for statements under way, unlocks what this process still has locked, so that others need not wait for the
   * locks to run out, and ends the connections.
   */
  close(): Promise<void>;
};

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
