import type { Merchant } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { invalidInputError } from '../../../kit/errors.ts';

/**
 * Locks a merchant until the end of the transaction and returns it. Serializes changes of the merchant's
 * configuration, but does not block inserts that reference the merchant. Throws 400 if the merchant does not
 * exist.
 */
export async function lockMerchant(tx: Tx, id: string, path = '/merchantId'): Promise<Merchant> {
  await tx.$queryRaw`SELECT 1 FROM merchant WHERE id = ${id} FOR NO KEY UPDATE`;
  const merchant = await tx.merchant.findUnique({ where: { id } });
  if (!merchant) throw invalidInputError(path, `is not a known merchant: ${id}`);
  return merchant;
}
