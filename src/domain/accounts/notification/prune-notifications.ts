import { advanceWatermark } from '../../../event/advance-watermark.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { getLowestId } from '../../../kit/id.ts';
import { processDue } from '../../../kit/process-due.ts';

/** How long a notification and its attempts are stored after it was delivered, failed or skipped. */
const notificationRetentionMs = 90 * dayMs;
/** The number of rows per transaction, few enough to keep row locks short. */
const batchSize = 2_000;

/**
 * Deletes notifications past the retention period, in batches, until `signal` aborts. Returns the number of
 * deleted notifications.
 */
export async function pruneNotifications(
  db: Db,
  options: { now: Date; signal?: AbortSignal },
): Promise<number> {
  const before = new Date(options.now.getTime() - notificationRetentionMs);
  return processDue({ batchSize, signal: options.signal }, () =>
    transact(db, ({ tx }) => pruneBatch(tx, before)),
  );
}

async function pruneBatch(tx: Tx, before: Date): Promise<number> {
  await advanceWatermark(tx, 'notification', before);
  // Skips notifications that are being resent.
  const rows = await tx.$queryRaw<{ id: string; eventId: string }[]>`
    SELECT id, event_id AS "eventId" FROM notification
    WHERE id < ${getLowestId('notification', before)} AND status <> 'pending' AND finished_at < ${before}
    ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
  const ids = rows.map(({ id }) => id);
  await tx.notificationAttempt.deleteMany({ where: { notificationId: { in: ids } } });
  await tx.notification.deleteMany({ where: { id: { in: ids } } });
  // Test events are not in the event log, so each is deleted with the last of its notifications.
  const eventIds = rows.map(({ eventId }) => eventId);
  await tx.event.deleteMany({ where: { id: { in: eventIds }, test: true, notifications: { none: {} } } });
  return rows.length;
}
