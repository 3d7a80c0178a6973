import type { Db } from '../../../kit/db.ts';

/**
 * Returns for how many seconds the most overdue job has waited for a worker, or 0 if no job is due. Returns
 * undefined if the jobs are not in this database: no worker has started yet, or the jobs are stored in
 * MongoDB.
 */
export async function measureJobs({ pool }: Pick<Db, 'pool'>, now: Date): Promise<number | undefined> {
  const { rows: tables } = await pool.query(`SELECT to_regclass('agenda_jobs') IS NOT NULL AS created`);
  if (!tables[0]?.created) return undefined;
  const { rows } = await pool.query<{ seconds: string | null }>(
    `SELECT extract(epoch FROM $1::timestamptz - min(next_run_at)) AS seconds FROM agenda_jobs
     WHERE next_run_at <= $1 AND locked_at IS NULL AND disabled IS NOT TRUE`,
    [now],
  );
  return Number(rows[0]?.seconds ?? 0);
}
