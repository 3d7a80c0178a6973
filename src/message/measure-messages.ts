import type { Db } from '../kit/db.ts';
import { isOfRunningMerchantSql } from '../kit/running-merchants.ts';

/** The numbers of pending and failed messages, for metrics. */
type MessageBacklog = {
  pending: number;
  /** Pending messages whose next attempt is due. */
  due: number;
  /** How long the most overdue message has been due, in seconds; 0 if none is due. */
  oldestDueSeconds: number;
  /** The number of messages that failed within the last day. */
  failed: number;
};

export async function measureMessages(db: Db, now: Date): Promise<MessageBacklog> {
  const { rows } = await db.pool.query<Record<keyof MessageBacklog, string | null>>(measureSql, [now]);
  const number = (name: keyof MessageBacklog) => Math.max(0, Number(rows[0]?.[name] ?? 0));
  return {
    pending: number('pending'),
    due: number('due'),
    oldestDueSeconds: number('oldestDueSeconds'),
    failed: number('failed'),
  };
}

/** Retries usually end within two days, so the query reads only messages that were created within a week. */
const measureSql = `
  SELECT waiting.*, ended.* FROM
    (SELECT count(*) AS pending, count(*) FILTER (WHERE next_attempt_at <= $1) AS due,
       extract(epoch FROM $1::timestamptz - min(next_attempt_at)) AS "oldestDueSeconds"
     FROM message WHERE status = 'pending' AND (merchant_id IS NULL OR ${isOfRunningMerchantSql})) AS waiting,
    (SELECT count(*) AS failed FROM message
     WHERE created_at > $1::timestamptz - interval '7 days' AND status = 'failed'
       AND finished_at > $1::timestamptz - interval '1 day') AS ended`;
