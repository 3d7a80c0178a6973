import { advisoryLocks } from '../../../kit/advisory-locks.ts';
import type { Db } from '../../../kit/db.ts';
import { processDue } from '../../../kit/process-due.ts';

const batchSize = 20_000;

/**
 * Folds pending deltas into `charge_count` and returns the number of deltas. Only one call folds at a time;
 * concurrent calls do nothing. Readers count each change exactly once: as a delta before it is folded, and in
 * `charge_count` afterwards.
 */
export async function foldChargeCounts(db: Pick<Db, 'prisma'>, signal?: AbortSignal): Promise<number> {
  return processDue({ batchSize, signal }, () => foldBatch(db));
}

async function foldBatch({ prisma }: Pick<Db, 'prisma'>): Promise<number> {
  const [row] = await prisma.$queryRaw<{ folded: bigint }[]>`
    WITH folded AS (
      DELETE FROM charge_count_delta
      WHERE id IN (SELECT id FROM charge_count_delta ORDER BY id LIMIT ${batchSize})
        AND pg_try_advisory_xact_lock(${advisoryLocks.foldChargeCounts})
      RETURNING *
    ), deltas AS (
      SELECT merchant_id, mode, day, method, customer_currency, change.status, change.delta
      FROM folded, LATERAL (VALUES (to_status, 1), (from_status, -1)) AS change(status, delta)
      WHERE change.status IS NOT NULL
    ), sums AS (
      SELECT merchant_id, mode, bucket.grain::charge_count_grain, bucket.start, status, method, customer_currency,
        sum(delta) AS count
      FROM deltas, LATERAL (VALUES ('all', date '1970-01-01'), ('month', date_trunc('month', day)::date), ('day', day))
        AS bucket(grain, start)
      GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(delta) <> 0
    ), added AS (
      INSERT INTO charge_count AS existing
        (merchant_id, mode, grain, start, status, method, customer_currency, count)
      SELECT * FROM sums
      ON CONFLICT (merchant_id, mode, grain, start, status, method, customer_currency)
        DO UPDATE SET count = existing.count + excluded.count
    )
    SELECT count(*) AS folded FROM folded`;
  return Number(row?.folded ?? 0n);
}
