import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockUserRow } from './lock-user.ts';

/**
 * Returns the signed-in user's current row, locked until the end of the transaction. Throws `unauthenticated`
 * if the session has ended or the user was removed since the request was authenticated.
 */
export async function lockSessionUser(
  tx: Tx,
  { user, session }: { user: { id: string }; session: { id: string } },
): Promise<MerchantUser> {
  await lockUserRow(tx, user.id);
  const sessionRow = await tx.userSession.findUnique({ where: { id: session.id }, include: { user: true } });
  if (!sessionRow || sessionRow.user.removedAt !== null)
    throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return sessionRow.user;
}
