import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { lockUser } from './lock-user.ts';
import { assertNotLastOwner, lockUserManager, requireUserManager } from './roles.ts';
import { endSessions } from './user-session.ts';

/**
 * Removes a user of the merchant; the caller must be an owner. Ends the user's sessions and open connections, and
 * deletes the two-factor secrets, recovery codes, emailed links, chat address and notice settings. The row stays,
 * because the audit trail refers to it. Errors: `permission_denied`, `user_not_found`, `last_owner`.
 */
export async function removeUser(db: Db, options: RequestContext & { id: string }): Promise<MerchantUser> {
  const { caller, id, ipAddress, now } = options;
  requireUserManager(caller);
  const { merchant, actor } = caller;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await lockUserManager(tx, caller);
    const before = await lockUser(tx, id, merchant.id);
    await assertNotLastOwner(tx, before);
    const user = await tx.merchantUser.update({
      where: { id },
      data: {
        removedAt: now,
        totpEncrypted: null,
        pendingTotpEncrypted: null,
        lastTotpStep: null,
        chatUrlEncrypted: null,
      },
    });
    await tx.noticeSetting.deleteMany({ where: { userId: id } });
    await tx.recoveryCode.deleteMany({ where: { userId: id } });
    await tx.passwordReset.deleteMany({ where: { userId: id } });
    await tx.emailChange.deleteMany({ where: { userId: id } });
    await endSessions(uow, { user });
    const detail = { email: user.email, role: user.role };
    const entry = { merchantId: merchant.id, actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'user.removed' });
    return user;
  });
}
