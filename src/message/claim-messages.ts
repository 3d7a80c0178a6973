import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Db } from '../kit/db.ts';

/** A message that only this process may send until `leasedUntil`. */
export type MessageClaim = {
  id: string;
  recipient: string;
  subject: string | null;
  contentEncrypted: string;
  language: string;
  attemptCount: number;
  expiresAt: Date | null;
  leasedUntil: Date;
};

/**
 * Claims due messages of a channel, the most overdue first. If a process is killed, its claims expire and the
 * messages are claimed again. This is the only case in which a message may be sent twice.
 */
export async function claimMessages(
  db: Db,
  options: { channel: MessageChannel; now: Date; until: Date; limit: number },
): Promise<MessageClaim[]> {
  const { channel, now, until, limit } = options;
  const { rows } = await db.pool.query<MessageClaim>(claimSql, [channel, now, until, limit]);
  return rows;
}

/** Parameters: $1 channel, $2 now, $3 until, $4 limit. */
const claimSql = `
  WITH due AS (
    SELECT id FROM message
    WHERE status = 'pending' AND channel = $1::message_channel AND next_attempt_at <= $2
      AND (leased_until IS NULL OR leased_until <= $2)
    ORDER BY next_attempt_at LIMIT $4
    FOR UPDATE SKIP LOCKED
  )
  UPDATE message SET leased_until = $3 FROM due WHERE message.id = due.id
  RETURNING message.id, recipient, subject, content_encrypted AS "contentEncrypted", language,
    attempt_count AS "attemptCount", expires_at AS "expiresAt", leased_until AS "leasedUntil"`;
