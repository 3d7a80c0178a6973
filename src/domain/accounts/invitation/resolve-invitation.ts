import type { Merchant, UserInvitation } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import { markAttemptsSuccessful, recordAttempt } from '../user/record-attempt.ts';
import { invalidLinkError } from '../user/reset-password.ts';

export type InvitationWithMerchant = UserInvitation & { merchant: Merchant };

/**
 * Returns the invitation of an emailed link, which stays valid, because mail scanners also open links. Errors:
 * `rate_limited`, `link_invalid`, and those of `requireEnabledMerchant`.
 */
export async function resolveInvitation(
  db: Db,
  options: { token: string; ipAddress: string; now: Date },
): Promise<InvitationWithMerchant> {
  const { token, ipAddress, now } = options;
  const attemptId = await recordAttempt(db, { kind: 'link', account: 'invitation', ipAddress, now });
  const invitation = await db.prisma.userInvitation.findFirst({
    where: { tokenHash: sha256(token), expiresAt: { gt: now } },
    include: { merchant: true },
  });
  if (!invitation) throw invalidLinkError();
  await markAttemptsSuccessful(db, attemptId);
  requireEnabledMerchant(invitation.merchant);
  return invitation;
}

/** An email address can belong to only one user of all merchants. */
export function emailInUseError(): DomainError {
  return new DomainError(
    'invitation_email_used',
    'This email address is already registered elsewhere; ask for an invitation to a different address',
  );
}
