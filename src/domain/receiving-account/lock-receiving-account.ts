import type { Mode, ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';

/**
 * Reads an account under a lock that lasts to the end of the transaction; charges may still be made on it. Error:
 * `receiving_account_not_found`.
 */
export async function lockReceivingAccount(
  tx: Tx,
  { merchantId, mode, id }: { merchantId: string; mode: Mode; id: string },
): Promise<ReceivingAccount> {
  const missing = new DomainError('receiving_account_not_found', `There is no receiving account ${id}`);
  if (id.includes('\0')) throw missing;
  await tx.$queryRaw`SELECT 1 FROM receiving_account WHERE id = ${id} FOR NO KEY UPDATE`;
  const account = await tx.receivingAccount.findFirst({ where: { id, merchantId, mode } });
  if (!account) throw missing;
  return account;
}
