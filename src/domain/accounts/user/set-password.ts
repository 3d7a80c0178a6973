import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { type AuditAction, type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { clearCodeAttempts } from './clear-code-attempts.ts';
import { endSessions } from './end-sessions.ts';
import { notifyUser } from './notify-user.ts';

/**
 * Sets a user's password in the caller's transaction; all password changes go through this function. Ends the
 * user's sessions except `keepSessionId`, deletes reset links, clears failed codes, emails the user and
 * records the change in the audit trail.
 */
export async function setPassword(
  uow: UnitOfWork<Service>,
  options: AuditContext & {
    user: MerchantUser;
    passwordHash: string;
    action: Extract<AuditAction, 'user.password_changed' | 'user.password_reset'>;
    keepSessionId?: string | undefined;
  },
): Promise<MerchantUser> {
  const { tx } = uow;
  const { passwordHash, action, keepSessionId, actor, ipAddress, now } = options;
  const { id, merchantId, email } = options.user;
  const user = await tx.merchantUser.update({ where: { id }, data: { passwordHash } });
  await tx.passwordReset.deleteMany({ where: { userId: id } });
  await clearCodeAttempts(tx, { userId: id, now });
  await endSessions(uow, { user, keepSessionId });
  await recordAudit(uow, { merchantId, actor, ipAddress, action, objectId: id, detail: { email }, now });
  await notifyUser(uow, { user, notice: 'password_changed', ipAddress, now });
  return user;
}
