import type { Db } from '../../../kit/db.ts';
import { minuteMs } from '../../../kit/duration.ts';
import { getLowestId } from '../../../kit/id.ts';
import { isOfRunningMerchantSql } from '../../../kit/running-merchants.ts';

/**
 * The result of an attempt: the class of the response status, or `none` if there was no complete response.
 */
export const attemptResults = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;
type AttemptResult = (typeof attemptResults)[number];

/**
 * The backlog of the workers and the state of deliveries. Ages are in seconds, and 0 if nothing is pending.
 */
type Backlog = {
  eventsUnrelayed: number;
  oldestUnrelayedSeconds: number;
  notificationsPending: number;
  notificationsDue: number;
  oldestUndeliveredSeconds: number;
  oldestDueSeconds: number;
  webhooksFailing: number;
  webhooksDisabled: number;
  accountsLowOnReferences: number;
  /** The number of attempts in the last minute, by result. */
  attempts: Record<AttemptResult, number>;
};

/**
 * Measures the backlog, without merchants whose work no worker may do. The counts of events and notifications use the
 * partial indexes of the sweeps, and the attempts of the last minute are selected by the time in their IDs.
 */
export async function measureBacklog(db: Db, now: Date): Promise<Backlog> {
  const [{ rows }, attempts] = await Promise.all([
    db.pool.query<Record<Exclude<keyof Backlog, 'attempts'>, string | null>>(backlogSql, [now]),
    countAttempts(db, now),
  ]);
  const toNumber = (name: Exclude<keyof Backlog, 'attempts'>) => Math.max(0, Number(rows[0]?.[name] ?? 0));
  return {
    eventsUnrelayed: toNumber('eventsUnrelayed'),
    oldestUnrelayedSeconds: toNumber('oldestUnrelayedSeconds'),
    notificationsPending: toNumber('notificationsPending'),
    notificationsDue: toNumber('notificationsDue'),
    oldestUndeliveredSeconds: toNumber('oldestUndeliveredSeconds'),
    oldestDueSeconds: toNumber('oldestDueSeconds'),
    webhooksFailing: toNumber('webhooksFailing'),
    webhooksDisabled: toNumber('webhooksDisabled'),
    accountsLowOnReferences: toNumber('accountsLowOnReferences'),
    attempts,
  };
}

const backlogSql = `
  SELECT unrelayed.*, pending.*, webhooks.*, accounts.* FROM
    (SELECT count(*) AS "eventsUnrelayed",
       extract(epoch FROM $1::timestamptz - min(created_at)) AS "oldestUnrelayedSeconds"
     FROM event WHERE relayed_at IS NULL AND ${isOfRunningMerchantSql}) AS unrelayed,
    (SELECT count(*) AS "notificationsPending", count(*) FILTER (WHERE next_attempt_at <= $1) AS "notificationsDue",
       extract(epoch FROM $1::timestamptz - min(created_at)) AS "oldestUndeliveredSeconds",
       extract(epoch FROM $1::timestamptz - min(next_attempt_at)) AS "oldestDueSeconds"
     FROM notification WHERE status = 'pending' AND ${isOfRunningMerchantSql}) AS pending,
    (SELECT count(*) FILTER (WHERE failing_since IS NOT NULL AND disabled_at IS NULL) AS "webhooksFailing",
       count(*) FILTER (WHERE disabled_at IS NOT NULL) AS "webhooksDisabled"
     FROM webhook WHERE deleted_at IS NULL AND ${isOfRunningMerchantSql}) AS webhooks,
    (SELECT count(*) AS "accountsLowOnReferences" FROM receiving_account
     WHERE references_low_at IS NOT NULL AND ${isOfRunningMerchantSql}) AS accounts`;

async function countAttempts(db: Db, now: Date): Promise<Record<AttemptResult, number>> {
  const since = getLowestId('attempt', new Date(now.getTime() - minuteMs));
  const { rows } = await db.pool.query<{ result: AttemptResult; count: number }>(
    `SELECT CASE WHEN response_status IS NULL OR error IS NOT NULL THEN 'none' ELSE least(5, greatest(2, response_status / 100)) || 'xx' END
       AS result, count(*)::int FROM notification_attempt WHERE id >= $1 GROUP BY 1`,
    [since],
  );
  const counts = Object.fromEntries(attemptResults.map((result) => [result, 0]));
  for (const { result, count } of rows) counts[result] = count;
  return counts as Record<AttemptResult, number>;
}
