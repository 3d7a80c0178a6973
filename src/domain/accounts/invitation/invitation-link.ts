import type { Merchant, UserInvitation } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { invitationMail } from '../../../message/mails/invitation-mail.ts';
import type { Service } from '../../platform/service.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

const invitationDays = 7;

/** An invitation with its link, which is not stored. */
export type SentInvitation = { invitation: UserInvitation; url: string };

/**
 * Creates an invitation link, and the columns that store its hash and expiry. The token is in the URL fragment,
 * which browsers do not send to servers, so no access log contains it.
 */
export function createInvitationLink(
  { settings }: Pick<Service, 'settings'>,
  now: Date,
): { url: string; linkColumns: Pick<UserInvitation, LinkColumns> } {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  return {
    url: `${settings.publicUrl}/dashboard/invitation#${token}`,
    linkColumns: { tokenHash: sha256(token), sentAt: now, expiresAt },
  };
}

type LinkColumns = 'tokenHash' | 'sentAt' | 'expiresAt';

/** Emails the link in the caller's transaction. */
export async function mailInvitation(
  uow: UnitOfWork<Service>,
  options: {
    invitation: UserInvitation;
    merchant: Merchant;
    inviterEmail: string | null;
    url: string;
    now: Date;
  },
): Promise<void> {
  const { invitation, merchant, inviterEmail, url, now } = options;
  const { id, email, role, expiresAt, tokenHash } = invitation;
  await enqueueMessage(uow, {
    merchantId: merchant.id,
    mode: null,
    audience: 'staff',
    trigger: 'merchant',
    atLimit: 'reject',
    kind: 'invitation',
    channel: 'email',
    to: email,
    language: 'en',
    content: invitationMail({
      merchant: merchant.name,
      by: inviterEmail,
      role,
      days: invitationDays,
      url,
    }),
    dedupeKey: `invitation ${id} ${tokenHash}`,
    expiresAt,
    now,
  });
}

/**
 * Returns an invitation of the caller's merchant, locked until the end of the transaction. Accepted and
 * withdrawn invitations no longer exist. Throws `invitation_not_found`.
 */
export async function lockInvitation(
  tx: Tx,
  { merchant }: MerchantCaller,
  id: string,
): Promise<UserInvitation> {
  await tx.$queryRaw`SELECT 1 FROM user_invitation WHERE id = ${id} AND merchant_id = ${merchant.id} FOR UPDATE`;
  const invitation = await tx.userInvitation.findFirst({ where: { id, merchantId: merchant.id } });
  if (!invitation) throw new DomainError('invitation_not_found', `Invitation not found: ${id}`);
  return invitation;
}
