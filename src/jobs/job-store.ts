import type { JobRepository } from 'agenda';

export type JobStoreConfig = {
  /** PostgreSQL; holds the jobs unless `mongodbUrl` is set. */
  connectionString: string;
  /** MongoDB; the URL's path names the database. */
  mongodbUrl?: string | undefined;
  /** Unique per process: it marks the jobs that the process has locked. */
  processName: string;
};

/**
 * The storage of Agenda's jobs. Its data is disposable: schedules are recreated at startup, and wakes are
 * hints.
 */
export type JobStore = {
  name: 'PostgreSQL' | 'MongoDB';
  repository: JobRepository;
  /**
   * Waits for running statements and closes the connections. It also unlocks this process's jobs, so that
   * other processes need not wait until the locks expire.
   */
  close(): Promise<void>;
};
