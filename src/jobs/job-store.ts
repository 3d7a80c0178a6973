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
  /**
   * Waits for statements under way, unlocks what this process still has locked, so that others need not wait for the
   * locks to run out, and ends the connections.
   */
  close(): Promise<void>;
};
