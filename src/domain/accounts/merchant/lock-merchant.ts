import type { Merchant } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInput } from '../../../kit/errors.ts';

/**
 * Reads a merchant under a lock that lasts to the end of the transaction, so that changes of its set-up come one by
 * one. It does not hold up those who only refer to the merchant. Error: 400 when there is no such merchant.
 */
export async function lockMerchant(tx: Tx, id: string): Promise<Merchant> {
  await tx.$queryRaw`SELECT 1 FROM merchant WHERE id = ${id} FOR NO KEY UPDATE`;
  const merchant = await tx.merchant.findUnique({ where: { id } });
  if (!merchant) throw invalidInput('/merchantId', `Merchant not found: ${id}`);
  return merchant;
}
