import type { UserInvitation } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';

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
