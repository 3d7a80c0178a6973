import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** Returns a receiving account of the merchant and mode. Throws `receiving_account_not_found`. */
export async function getReceivingAccount(
  { prisma }: { prisma: Db['prisma'] | Tx },
  { merchantId, mode, id }: ScopedId,
): Promise<ReceivingAccount> {
  const account = await prisma.receivingAccount.findFirst({ where: { id, merchantId, mode } });
  if (!account) throw new DomainError('receiving_account_not_found', `Receiving account not found: ${id}`);
  return account;
}

/** Locks an account with `lockReceivingAccountRow` and returns it. Throws `receiving_account_not_found`. */
export async function lockReceivingAccount(tx: Tx, scopedId: ScopedId): Promise<ReceivingAccount> {
  await lockReceivingAccountRow(tx, scopedId);
  return getReceivingAccount({ prisma: tx }, scopedId);
}

/**
 * Serializes changes of an account and the recording of its transfers, so that concurrent imports cannot
 * record a transfer twice. Does not block new charges, which only reference the row.
 */
export async function lockReceivingAccountRow(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM receiving_account
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
}
