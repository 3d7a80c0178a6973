import { type Db, transact } from '../../kit/db.ts';

/** Deletes the answers that have been kept long enough; answers how many. */
export async function pruneIdempotencyKeys(db: Db, options: { now: Date }): Promise<number> {
  const { count } = await transact(db, (tx) =>
    tx.idempotencyKey.deleteMany({ where: { expiresAt: { lte: options.now } } }),
  );
  return count;
}
