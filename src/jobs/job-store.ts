import type { JobRepository } from 'agenda';

export type JobStoreConfig = {
  /** The URL of PostgreSQL, which stores the jobs unless `mongodbUrl` is set. */
  connectionString: string;
  /** The URL of MongoDB, whose path is the name of the database. */
  mongodbUrl?: string | undefined;
  /** A name that is unique among all processes, because it marks the jobs that the process has locked. */
  processName: string;
};

/**
 * The storage of Agenda's jobs. Its data can be lost, because schedules are recreated at startup, and each job finds
 * all due work.
 */
export type JobStore = {
  name: 'PostgreSQL' | 'MongoDB';
  repository: JobRepository;
  /**
   * Waits for running statements and closes the connections. Also unlocks this process's jobs, so that other
   * processes need not wait until the locks expire.
   */
  close(): Promise<void>;
};
