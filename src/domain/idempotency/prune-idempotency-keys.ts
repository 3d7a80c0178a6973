import type { Db } from '../../kit/db.ts';

/** Rows a statement: short enough to hold nobody up. */
const batchSize = 5_000;

/** Deletes the answers that have been kept long enough, batch by batch; answers how many. */
export async function pruneIdempotencyKeys(db: Db, options: { now: Date }): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await db.prisma.$executeRaw`
      DELETE FROM idempotency_key WHERE (merchant_id, mode, key) IN (
        SELECT merchant_id, mode, key FROM idempotency_key WHERE expires_at <= ${options.now} LIMIT ${batchSize})`;
    total += deleted;
    if (deleted < batchSize) return total;
  }
}
