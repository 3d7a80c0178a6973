import type { Merchant, UserInvitation } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { dayMs } from '../../../kit/duration.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { newToken } from '../../../kit/token.ts';
import { enqueueMessage } from '../../../message/enqueue-message.ts';
import { invitationMail } from '../../../message/mails/invitation-mail.ts';
import type { Service } from '../../platform/service.ts';

const invitationDays = 7;

/** Creates the token of an invitation link, and the columns that store its hash and expiry. */
export function createInvitationLink(now: Date): {
  token: string;
  linkColumns: Pick<UserInvitation, LinkColumns>;
} {
  const token = newToken();
  const expiresAt = new Date(now.getTime() + invitationDays * dayMs);
  return { token, linkColumns: { tokenHash: sha256(token), sentAt: now, expiresAt } };
}

type LinkColumns = 'tokenHash' | 'sentAt' | 'expiresAt';

/**
 * Emails the link in the caller's transaction. The token is in the URL fragment, which browsers do not send
 * to servers, so no access log contains it.
 */
export async function mailInvitation(
  uow: UnitOfWork<Service>,
  options: {
    invitation: UserInvitation;
    merchant: Merchant;
    inviterName: string | null;
    token: string;
    now: Date;
  },
): Promise<void> {
  const { invitation, merchant, inviterName, token, now } = options;
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
      by: inviterName,
      role,
      days: invitationDays,
      url: `${uow.settings.publicUrl}/dashboard/invitation#${token}`,
    }),
    dedupeKey: `invitation ${id} ${tokenHash}`,
    expiresAt,
    now,
  });
}
