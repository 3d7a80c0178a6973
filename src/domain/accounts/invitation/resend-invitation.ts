import { transact } from '../../../event/unit-of-work.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { recordAttempt } from '../user/record-attempt.ts';
import { lockUserManager, requireUserManager } from '../user/roles.ts';
import {
  createInvitationLink,
  lockInvitation,
  mailInvitation,
  type SentInvitation,
} from './invitation-link.ts';

/**
 * Emails an invitation again, even an expired one, with a new link that works for 7 days. The previous link
 * stops working.
 * Errors: `permission_denied`, `rate_limited`, `invitation_not_found`.
 */
export async function resendInvitation(
  service: Service,
  options: RequestContext & { id: string },
): Promise<SentInvitation> {
  const { caller, id, ipAddress, now } = options;
  const user = requireUserManager(caller);
  const { merchant, actor } = caller;
  await recordAttempt(service, {
    kind: 'invitation',
    account: merchant.id,
    ipAddress: ipAddress ?? merchant.id,
    now,
  });
  return transact(service, async (uow) => {
    await lockUserManager(uow.tx, caller);
    const { email, role } = await lockInvitation(uow.tx, caller, id);
    const { url, linkColumns } = createInvitationLink(service, now);
    const invitation = await uow.tx.userInvitation.update({ where: { id }, data: linkColumns });
    const entry = { merchantId: merchant.id, actor, ipAddress, objectId: id, detail: { email, role }, now };
    await recordAudit(uow, { ...entry, action: 'user.invitation_resent' });
    await mailInvitation(uow, { invitation, merchant, inviterEmail: user.email, url, now });
    return { invitation, url };
  });
}
