import type { Db } from '../../kit/db.ts';

/** What waits for workers; ages in seconds, 0 when nothing waits. */
export type Backlog = {
  eventsUnrelayed: number;
  oldestUnrelayedSeconds: number;
  notificationsPending: number;
  oldestDueSeconds: number;
};

/** Counts what waits, over the partial indexes that the sweeps use. */
export async function measureBacklog(db: Db, now: Date): Promise<Backlog> {
  const { rows } = await db.pool.query<Record<keyof Backlog, string | null>>(
    `SELECT
       (SELECT count(*) FROM event WHERE relayed_at IS NULL) AS "eventsUnrelayed",
       (SELECT extract(epoch FROM $1::timestamptz - min(created_at)) FROM event WHERE relayed_at IS NULL) AS "oldestUnrelayedSeconds",
       (SELECT count(*) FROM notification WHERE status = 'pending') AS "notificationsPending",
       (SELECT extract(epoch FROM $1::timestamptz - min(next_attempt_at)) FROM notification WHERE status = 'pending') AS "oldestDueSeconds"`,
    [now],
  );
  const number = (name: keyof Backlog) => Math.max(0, Number(rows[0]?.[name] ?? 0));
  return {
    eventsUnrelayed: number('eventsUnrelayed'),
    oldestUnrelayedSeconds: number('oldestUnrelayedSeconds'),
    notificationsPending: number('notificationsPending'),
    oldestDueSeconds: number('oldestDueSeconds'),
  };
}
