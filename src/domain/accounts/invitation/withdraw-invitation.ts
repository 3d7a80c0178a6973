import type { UserInvitation } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { lockUserManager } from '../user/roles.ts';
import { lockInvitation } from './invitation-link.ts';

/** Withdraws an invitation; its link stops working. Errors: `permission_denied`, `invitation_not_found`. */
export async function withdrawInvitation(
  db: Db,
  options: RequestContext & { id: string },
): Promise<UserInvitation> {
  const { caller, id, ipAddress, now } = options;
  const { merchant, actor } = caller;
  return transact(db, async (uow) => {
    await lockUserManager(uow.tx, caller);
    const invitation = await lockInvitation(uow.tx, caller, id);
    await uow.tx.userInvitation.delete({ where: { id } });
    const { email, role } = invitation;
    const entry = { merchantId: merchant.id, actor, ipAddress, objectId: id, detail: { email, role }, now };
    await recordAudit(uow, { ...entry, action: 'user.invitation_withdrawn' });
    return invitation;
  });
}
