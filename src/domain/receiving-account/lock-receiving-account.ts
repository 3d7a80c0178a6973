import type { ReceivingAccount } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Owned } from '../../kit/owner.ts';

/** Reads an account under `holdReceivingAccount`. Error: `receiving_account_not_found`. */
export async function lockReceivingAccount(
  tx: Tx,
  { merchantId, mode, id }: Owned,
): Promise<ReceivingAccount> {
  await holdReceivingAccount(tx, id);
  const account = await tx.receivingAccount.findFirst({ where: { id, merchantId, mode } });
  if (!account) throw new DomainError('receiving_account_not_found', `There is no receiving account ${id}`);
  return account;
}

/**
 * Changes of an account, and recordings on it, come one after the other, so that two importers cannot count the same
 * money twice. Charges may still be made on it.
 */
export async function holdReceivingAccount(tx: Tx, id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM receiving_account WHERE id = ${id} FOR NO KEY UPDATE`;
}
