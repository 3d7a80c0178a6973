import type { BankFeed } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';

/** Locks a feed until the end of the transaction and returns it. Throws `bank_feed_not_found`. */
export async function lockBankFeed(tx: Tx, { merchantId, mode, id }: ScopedId): Promise<BankFeed> {
  await tx.$queryRaw`SELECT 1 FROM bank_feed
    WHERE id = ${id} AND merchant_id = ${merchantId} AND mode = ${mode}::mode FOR NO KEY UPDATE`;
  const feed = await tx.bankFeed.findFirst({ where: { id, merchantId, mode, deletedAt: null } });
  if (!feed) throw new DomainError('bank_feed_not_found', `Bank feed not found: ${id}`);
  return feed;
}
