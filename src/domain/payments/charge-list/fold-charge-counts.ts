import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

const perStatement = 20_000;

/**
 * Adds what has changed to the counts of charges, and answers how many changes that were. Another process that does the
 * same at the moment is left to it. Readers see each change once, before and after.
 */
export async function foldChargeCounts(db: Pick<Db, 'prisma'>, signal?: AbortSignal): Promise<number> {
  return processDue({ batchSize: perStatement, signal }, () => foldSome(db));
}

async function foldSome({ prisma }: Pick<Db, 'prisma'>): Promise<number> {
  const [row] = await prisma.$queryRaw<{ taken: bigint }[]>`
    WITH taken AS (
      DELETE FROM charge_count_delta
      WHERE id IN (SELECT id FROM charge_count_delta ORDER BY id LIMIT ${perStatement})
        AND pg_try_advisory_xact_lock(hashtextextended('fold charge counts', 0))
      RETURNING *
    ), gains AS (
      SELECT merchant_id, mode, day, method, customer_currency, change.status, change.gain
      FROM taken, LATERAL (VALUES (to_status, 1), (from_status, -1)) AS change(status, gain)
      WHERE change.status IS NOT NULL
    ), sums AS (
      SELECT merchant_id, mode, span.grain::charge_count_grain, span.start, status, method, customer_currency,
        sum(gain) AS count
      FROM gains, LATERAL (VALUES ('all', date '1970-01-01'), ('month', date_trunc('month', day)::date), ('day', day))
        AS span(grain, start)
      GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(gain) <> 0
    ), added AS (
      INSERT INTO charge_count AS known
        (merchant_id, mode, grain, start, status, method, customer_currency, count)
      SELECT * FROM sums
      ON CONFLICT (merchant_id, mode, grain, start, status, method, customer_currency)
        DO UPDATE SET count = known.count + excluded.count
    )
    SELECT count(*) AS taken FROM taken`;
  return Number(row?.taken ?? 0n);
}
