import { advancePruneMark } from '../../../event/advance-prune-mark.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { lowestIdAt } from '../../../kit/id.ts';
import { processDue } from '../../../kit/process-due.ts';

/** Notifications, with their attempts, are kept so long after they were delivered, given up or skipped. */
const notificationRetentionMs = 90 * dayMs;
/** Rows at a time: short enough to hold nobody up. */
const batchSize = 2_000;

/** Deletes the notifications that have been kept long enough, batch by batch, until the signal; answers how many. */
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
  await advancePruneMark(tx, 'notification', before);
  // One that is being sent again at this moment is left.
  const rows = await tx.$queryRaw<{ id: string; eventId: string }[]>`
    SELECT id, event_id AS "eventId" FROM notification
    WHERE id < ${lowestIdAt('notification', before)} AND status <> 'pending' AND finished_at < ${before}
    ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED`;
  const ids = rows.map(({ id }) => id);
  await tx.notificationAttempt.deleteMany({ where: { notificationId: { in: ids } } });
  await tx.notification.deleteMany({ where: { id: { in: ids } } });
  // The events of try-outs are in no log: they go with the last of their notifications.
  const eventIds = rows.map(({ eventId }) => eventId);
  await tx.event.deleteMany({ where: { id: { in: eventIds }, test: true, notifications: { none: {} } } });
  return rows.length;
}
