import type { Db } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { processDue } from '../../../kit/process-due.ts';
import { attemptRetentionMs } from './record-attempt.ts';

/** How long expired invitations are stored, so that owners can still resend them. */
const invitationRetentionMs = 90 * dayMs;
/** The number of rows per statement, few enough to keep row locks short. */
const batchSize = 5_000;

/**
 * Deletes expired sessions and links to reset a password or confirm an email address, attempts older than a day, and
 * invitations that expired 90 days ago. Returns the number of deleted rows.
 */
export async function pruneSignIns(db: Db, options: { now: Date; signal?: AbortSignal }): Promise<number> {
  const { now, signal } = options;
  const attemptsBefore = new Date(now.getTime() - attemptRetentionMs);
  const invitationsBefore = new Date(now.getTime() - invitationRetentionMs);
  const deletions = [
    () => db.prisma.$executeRaw`
      DELETE FROM user_session WHERE token_hash IN (
        SELECT token_hash FROM user_session WHERE expires_at <= ${now} LIMIT ${batchSize})`,
    () => db.prisma.$executeRaw`
      DELETE FROM password_reset WHERE user_id IN (
        SELECT user_id FROM password_reset WHERE expires_at <= ${now} LIMIT ${batchSize})
        AND expires_at <= ${now}`,
    () => db.prisma.$executeRaw`
      DELETE FROM email_change WHERE user_id IN (
        SELECT user_id FROM email_change WHERE expires_at <= ${now} LIMIT ${batchSize})
        AND expires_at <= ${now}`,
    () => db.prisma.$executeRaw`
      DELETE FROM authentication_attempt WHERE id IN (
        SELECT id FROM authentication_attempt WHERE created_at < ${attemptsBefore} LIMIT ${batchSize})`,
    () => db.prisma.$executeRaw`
      DELETE FROM user_invitation WHERE id IN (
        SELECT id FROM user_invitation WHERE expires_at <= ${invitationsBefore} LIMIT ${batchSize})
        AND expires_at <= ${invitationsBefore}`,
  ];
  let total = 0;
  for (const deleteBatch of deletions) {
    if (signal?.aborted) break;
    total += await processDue({ batchSize, signal }, deleteBatch);
  }
  return total;
}
