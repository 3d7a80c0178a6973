import { Prisma } from '../../prisma/client/client.ts';
import type { Db, Tx } from '../kit/db.ts';
import { dayMs } from '../kit/duration.ts';
import type { MerchantScope } from '../kit/merchant-scope.ts';
import { processDue } from '../kit/process-due.ts';
import { isOfRunningMerchant } from '../kit/running-merchants.ts';
import { advanceWatermark } from './advance-watermark.ts';
import { transact } from './unit-of-work.ts';

const eventRetentionMs = 400 * dayMs;
/** The number of events per batch, few enough to keep row locks short. */
const batchSize = 2_000;

/**
 * Deletes expired events from the start of each log, so that the remaining log has no gap. An event that
 * still has notifications is not deleted, and neither are the later events of its log. Returns the number of deleted
 * events, and stops when the signal aborts.
 */
export async function pruneEvents(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const cutoff = new Date(options.now.getTime() - eventRetentionMs);
  await advanceWatermark(db.prisma, 'event', cutoff);
  const isExpired = Prisma.sql`created_at < ${cutoff} AND NOT EXISTS (SELECT FROM notification WHERE event_id = event.id)`;
  let total = 0;
  for (const scope of await findExpiredLogs(db, cutoff)) {
    if (options.signal?.aborted) break;
    total += await pruneLog(db, { scope, isPrunable: isExpired, signal: options.signal });
  }
  return total;
}

/**
 * Deletes events from the start of a log in batches, up to the first one that is not prunable, so that the remaining
 * log has no gap. Returns the number of deleted events.
 */
export function pruneLog(
  db: Db,
  options: { scope: MerchantScope; isPrunable: Prisma.Sql; signal?: AbortSignal | undefined },
): Promise<number> {
  // Each batch is a transaction of its own, because its lock of the counter blocks the relay of all merchants.
  return processDue({ batchSize, signal: options.signal }, () =>
    transact(db, ({ tx }) => pruneBatch(tx, options)),
  );
}

/** Returns the logs with an expired first event, in random order, so that a run that ends early starves none. */
function findExpiredLogs(db: Db, cutoff: Date): Promise<MerchantScope[]> {
  return db.prisma.$queryRaw<MerchantScope[]>`
    SELECT merchant_id AS "merchantId", mode::text FROM event_counter
    WHERE ${isOfRunningMerchant} AND EXISTS (SELECT FROM event WHERE event.merchant_id = event_counter.merchant_id
      AND event.mode = event_counter.mode AND sequence = pruned_to + 1 AND created_at < ${cutoff})
    ORDER BY random()`;
}

async function pruneBatch(
  tx: Tx,
  { scope: { merchantId, mode }, isPrunable }: { scope: MerchantScope; isPrunable: Prisma.Sql },
): Promise<number> {
  const [{ deleted } = { deleted: 0 }] = await tx.$queryRaw<{ deleted: number }[]>`
    WITH log AS (
      SELECT pruned_to FROM event_counter
      WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode FOR UPDATE
    ), candidate AS (
      SELECT id, sequence, ${isPrunable} AS is_prunable
      FROM event WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode
        AND sequence > (SELECT pruned_to FROM log) ORDER BY sequence LIMIT ${batchSize}
    ), deleted_event AS (
      DELETE FROM event WHERE id IN (
        SELECT id FROM candidate WHERE sequence < coalesce((SELECT min(sequence) FROM candidate WHERE NOT is_prunable), 9e18::bigint))
      RETURNING sequence
    ), counter_update AS (
      UPDATE event_counter SET pruned_to = (SELECT max(sequence) FROM deleted_event)
      WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode AND EXISTS (SELECT FROM deleted_event)
    )
    SELECT count(*)::int AS deleted FROM deleted_event`;
  return deleted;
}
