import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { lockUserRow } from './lock-user.ts';

/**
 * A signed-in user as they are now, locked to the end of the transaction. Error: `unauthenticated` when the session they
 * ask from has ended since it was looked up, or they were removed.
 */
export async function lockSessionUser(
  tx: Tx,
  { user, session }: { user: { id: string }; session: { id: string } },
): Promise<MerchantUser> {
  await lockUserRow(tx, user.id);
  const sessionRow = await tx.userSession.findUnique({ where: { id: session.id }, include: { user: true } });
  if (!sessionRow || sessionRow.user.disabledAt !== null)
    throw new DomainError('unauthenticated', 'Sign in to the dashboard');
  return sessionRow.user;
}
