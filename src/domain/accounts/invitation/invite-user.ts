import type { Merchant, MerchantUser, UserRole } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { foldEmail, parseEmail } from '../../../kit/contact.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import { newId } from '../../../kit/id.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { recordAttempt } from '../user/record-attempt.ts';
import { checkRole, lockUserManager, requireUserManager } from '../user/roles.ts';
import { createInvitationLink, mailInvitation, type SentInvitation } from './invitation-link.ts';

/**
 * Invites a user to the merchant's dashboard; the caller must be an owner. Emails a link that works once within 7 days.
 * The response does not reveal whether the email address belongs to a user of another merchant; only the invited person
 * learns that, when accepting. Errors: `permission_denied`, `rate_limited`, `invalid_request`.
 */
export async function inviteUser(
  service: Service,
  options: RequestContext & { input: { email: string; role: UserRole } },
): Promise<SentInvitation> {
  const { caller, input, ipAddress, now } = options;
  requireUserManager(caller);
  const { merchant, actor } = caller;
  const role = checkRole(input.role);
  const email = foldEmail(parseEmail(input.email, '/email'));
  await recordAttempt(service, {
    kind: 'invitation',
    account: merchant.id,
    ipAddress: ipAddress ?? merchant.id,
    now,
  });
  return transact(service, async (uow) => {
    const inviter = await lockUserManager(uow.tx, caller);
    return createInvitation(uow, { merchant, email, role, inviter, actor, ipAddress, now });
  });
}

/**
 * Creates and emails an invitation. The caller's transaction must hold the merchant's lock or have created
 * the merchant.
 */
export async function createInvitation(
  uow: UnitOfWork<Service>,
  options: AuditContext & { merchant: Merchant; email: string; role: UserRole; inviter: MerchantUser | null },
): Promise<SentInvitation> {
  const { tx } = uow;
  const { merchant, email, role, inviter, actor, ipAddress, now } = options;
  const merchantId = merchant.id;
  const existingUser = await tx.merchantUser.findFirst({ where: { merchantId, email, removedAt: null } });
  if (existingUser) throw invalidInputError('/email', 'already belongs to one of your users');
  const existingInvitation = await tx.userInvitation.findFirst({ where: { merchantId, email } });
  if (existingInvitation) throw invalidInputError('/email', 'is already invited; resend that invitation');
  const { url, linkColumns } = createInvitationLink(uow, now);
  const id = newId('userInvitation', now);
  const invitation = await tx.userInvitation.create({
    data: { id, merchantId, email, role, invitedBy: actor, createdAt: now, ...linkColumns },
  });
  await recordAudit(uow, {
    merchantId,
    actor,
    ipAddress,
    action: 'user.invited',
    objectId: id,
    detail: { email, role },
    now,
  });
  await mailInvitation(uow, { invitation, merchant, inviterEmail: inviter?.email ?? null, url, now });
  return { invitation, url };
}
