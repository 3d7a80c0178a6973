import type { MerchantUser } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';

/**
 * Reads a user who was not removed under a lock that lasts to the end of the transaction. Whoever locks the merchant
 * too does that first. Error: `user_not_found`.
 */
export async function lockUser(tx: Tx, id: string, merchantId?: string): Promise<MerchantUser> {
  // PostgreSQL refuses U+0000 in a text, and no id has one.
  const isId = !id.includes('\0');
  if (isId) await tx.$queryRaw`SELECT 1 FROM merchant_user WHERE id = ${id} FOR NO KEY UPDATE`;
  const where = { id, disabledAt: null, ...(merchantId !== undefined && { merchantId }) };
  const user = isId ? await tx.merchantUser.findFirst({ where }) : null;
  if (!user) throw new DomainError('user_not_found', `There is no user ${id}`);
  return user;
}
