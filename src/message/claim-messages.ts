import type { MessageChannel } from '../../prisma/client/client.ts';
import type { Db } from '../kit/db.ts';
import { isLeaseFree, type Lease } from '../kit/lease.ts';
import { isOfRunningMerchant } from '../kit/running-merchants.ts';

/** A message that only this process may send until `leasedUntil`. */
export type MessageClaim = Lease & {
  id: string;
  recipient: string;
  subject: string | null;
  contentEncrypted: string;
  language: string;
  attemptCount: number;
  expiresAt: Date | null;
  /** The merchant whose logo the email may contain. */
  merchantId: string | null;
};

/**
 * Claims due messages of a channel, the most overdue first. If a process is killed, its claims expire and the
 * messages are claimed again, so a message may be sent twice.
 */
export async function claimMessages(
  db: Db,
  options: { channel: MessageChannel; now: Date; until: Date; limit: number },
): Promise<MessageClaim[]> {
  const { channel, now, until, limit } = options;
  return db.prisma.$queryRaw<MessageClaim[]>`
    WITH due AS (
      SELECT id FROM message
      WHERE status = 'pending' AND channel = ${channel}::message_channel AND next_attempt_at <= ${now}
        AND ${isLeaseFree(now)} AND (merchant_id IS NULL OR ${isOfRunningMerchant})
      ORDER BY next_attempt_at LIMIT ${limit}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE message SET leased_until = ${until} FROM due WHERE message.id = due.id
    RETURNING message.id, recipient, subject, content_encrypted AS "contentEncrypted", language,
      attempt_count AS "attemptCount", merchant_id AS "merchantId", expires_at AS "expiresAt", leased_until AS "leasedUntil"`;
}
