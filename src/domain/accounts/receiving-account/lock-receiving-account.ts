import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { getReceivingAccount } from './get-receiving-account.ts';

/** Reads an account under `holdReceivingAccount`. Error: `receiving_account_not_found`. */
export async function lockReceivingAccount(tx: Tx, owned: ScopedId): Promise<ReceivingAccount> {
  await lockReceivingAccountRow(tx, owned);
  return getReceivingAccount({ prisma: tx }, owned);
}

/**
 * Changes of an account, and recordings on it, come one after the other, so that two importers cannot count the same
 * money twice. Charges may still be made on it.
 */
export async function lockReceivingAccountRow(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM receiving_account
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
}
