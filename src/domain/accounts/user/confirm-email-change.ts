import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Service } from '../../platform/service.ts';
import { requireUnusedEmail, storeEmail } from './change-email.ts';
import { lockSessionUser } from './lock-user.ts';
import type { SessionContext } from './reauthenticate.ts';
import { markAttemptsSuccessful, recordAttempt } from './record-attempt.ts';
import { invalidLinkError } from './reset-password.ts';

/**
 * Changes the email address of a signed-in user with the token of an emailed link, which works once. Only the user who
 * requested the change can use the link: a stranger at a mistyped address cannot. Ends all other sessions of the user.
 * Errors: `rate_limited`, `link_invalid`, `unauthenticated`; 400 if another user has the address.
 */
export async function confirmEmailChange(
  service: Service,
  options: SessionContext & { token: string },
): Promise<MerchantUser> {
  const { user, ipAddress, now } = options;
  const attemptId = await recordAttempt(service, { kind: 'link', account: user.id, ipAddress, now });
  const changed = await transact(service, async (uow) => {
    const { tx } = uow;
    const before = await lockSessionUser(tx, options);
    const where = { userId: user.id, tokenHash: sha256(options.token), expiresAt: { gt: now } };
    const change = await tx.emailChange.findFirst({ where });
    if (!change) throw invalidLinkError();
    await requireUnusedEmail(tx, change.email);
    await tx.emailChange.delete({ where: { userId: user.id } });
    return storeEmail(uow, { ...options, before, email: change.email });
  });
  await markAttemptsSuccessful(service, attemptId);
  return changed;
}
