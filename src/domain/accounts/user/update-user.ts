import type { MerchantUser, UserRole } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { lockUser } from './lock-user.ts';
import { assertNotLastOwner, checkRole, lockUserManager, noticeRoles, requireUserManager } from './roles.ts';
import { announceUserChange } from './user-session.ts';

/**
 * Changes the role of a user; the caller must be an owner. The new role applies from the next request, and open
 * subscriptions of the user end. A user who becomes a cashier loses the notice settings and the chat address.
 * Errors: `permission_denied`, `user_not_found`, `last_owner`.
 */
export async function updateUser(
  db: Db,
  options: RequestContext & { id: string; role: UserRole },
): Promise<MerchantUser> {
  const { caller, id, ipAddress, now } = options;
  requireUserManager(caller);
  const role = checkRole(options.role);
  const { merchant, actor } = caller;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await lockUserManager(tx, caller);
    const before = await lockUser(tx, id, merchant.id);
    if (before.role === role) return before;
    await assertNotLastOwner(tx, before);
    const canReceiveNotices = noticeRoles.includes(role);
    const user = await tx.merchantUser.update({
      where: { id },
      data: { role, ...(!canReceiveNotices && { chatUrlEncrypted: null }) },
    });
    if (!canReceiveNotices) await tx.noticeSetting.deleteMany({ where: { userId: id } });
    const detail = { email: user.email, role: { from: before.role, to: role } };
    const entry = { merchantId: merchant.id, actor, ipAddress, objectId: id, detail, now };
    await recordAudit(uow, { ...entry, action: 'user.updated' });
    announceUserChange(uow, user);
    return user;
  });
}
