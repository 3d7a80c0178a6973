import type { Service } from '../../platform/service.ts';

type JobMeasurement = {
  /** For how many seconds the most overdue job has waited for a worker, or 0 if no job is due. */
  lagSeconds: number;
  dueCount: number;
  /** The number of workers that locked a job or renewed its lock in the last 15 seconds. */
  workerCount: number;
};

/**
 * Measures the due jobs and the workers that process them. Returns undefined if the jobs are stored in MongoDB, or no
 * worker has started yet.
 */
export async function measureJobs(
  { pool, settings }: Pick<Service, 'pool' | 'settings'>,
  now: Date,
): Promise<JobMeasurement | undefined> {
  if (settings.hasMongoDb) return undefined;
  const { rows: tables } = await pool.query(`SELECT to_regclass('agenda_jobs') IS NOT NULL AS created`);
  if (!tables[0]?.created) return undefined;
  const isDue = 'next_run_at <= $1 AND locked_at IS NULL AND disabled IS NOT TRUE';
  const { rows } = await pool.query<{ seconds: string | null; due: number; workers: number }>(
    `SELECT extract(epoch FROM $1::timestamptz - min(next_run_at) FILTER (WHERE ${isDue})) AS seconds,
       (count(*) FILTER (WHERE ${isDue}))::int AS due,
       (count(DISTINCT last_modified_by) FILTER (WHERE locked_at > $1::timestamptz - interval '15 seconds'))::int AS workers
     FROM agenda_jobs`,
    [now],
  );
  const row = rows[0]!;
  return { lagSeconds: Number(row.seconds ?? 0), dueCount: row.due, workerCount: row.workers };
}
