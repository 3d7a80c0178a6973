import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { foldEmail } from '../../../kit/contact.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Reads a user who was not removed under a lock that lasts to the end of the transaction. Whoever locks the merchant
 * too does that first. Error: `user_not_found`.
 */
export async function lockUser(tx: Tx, id: string, merchantId?: string): Promise<MerchantUser> {
  await lockUserRow(tx, id, merchantId);
  const where = { id, disabledAt: null, ...(merchantId !== undefined && { merchantId }) };
  const user = await tx.merchantUser.findFirst({ where });
  if (!user) throw new DomainError('user_not_found', `User not found: ${id}`);
  return user;
}

/** The same by the address, however it is written. Error: `user_not_found`. */
export async function lockUserByEmail(tx: Tx, rawEmail: string): Promise<MerchantUser> {
  const email = foldEmail(rawEmail);
  await lockUserRows(tx, [email]);
  const user = await tx.merchantUser.findFirst({ where: { email, disabledAt: null } });
  if (!user) throw new DomainError('user_not_found', `User not found: ${email}`);
  return user;
}

/** Whoever changes a user, lets one in or ends their sessions comes one after the other. */
export async function lockUserRow(tx: Tx, id: string, merchantId?: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM merchant_user
    WHERE id = ${id} AND merchant_id IS NOT DISTINCT FROM coalesce(${merchantId ?? null}, merchant_id) FOR NO KEY UPDATE`;
}

/** The same for those with these addresses who were not removed, in one order. */
export async function lockUserRows(tx: Tx, emails: readonly string[]): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM merchant_user WHERE email = ANY(${[...emails]}::text[]) AND disabled_at IS NULL
    ORDER BY id FOR NO KEY UPDATE`;
}
