import type { Merchant, MerchantUser } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { sha256 } from '../../kit/secrets.ts';
import { refuseDisabled } from '../api-key/authenticate-key.ts';

/** A user with the merchant they act for; none for an operator. */
export type SignedInUser = MerchantUser & { merchant: Merchant | null };

/**
 * Whom a session's cookie speaks for; undefined when it is unknown or over, or the user was switched off.
 * Error: `account_disabled`.
 */
export async function findUserSession(
  db: Db,
  options: { token: string; now: Date },
): Promise<SignedInUser | undefined> {
  const session = await db.prisma.userSession.findUnique({
    where: { tokenHash: sha256(options.token) },
    include: { user: { include: { merchant: true } } },
  });
  if (!session || session.expiresAt <= options.now || session.user.disabledAt !== null) return undefined;
  if (session.user.merchant) refuseDisabled(session.user.merchant);
  return session.user;
}
