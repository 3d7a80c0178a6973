import { Prisma } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { sharedIdsSql } from '../../accounts/receiving-account/bank-account.ts';

/**
 * Returns whether payments to the receiving account are reported without a person: by a bank feed, or by the merchant's
 * own code, which has reported a transfer before. Also considers accounts that are the same bank account.
 */
export async function hasPaymentReports(
  { prisma }: Pick<Db, 'prisma'>,
  receivingAccountId: string,
): Promise<boolean> {
  const ids = sharedIdsSql(Prisma.sql`${receivingAccountId}`);
  const [row] = await prisma.$queryRaw<{ hasReports: boolean }[]>`
    SELECT EXISTS (
        SELECT 1 FROM bank_feed_account account JOIN bank_feed feed ON feed.id = account.feed_id
        WHERE account.receiving_account_id IN (${ids}) AND feed.confirmed_at IS NOT NULL AND feed.deleted_at IS NULL
          AND feed.status <> 'paused')
      OR EXISTS (SELECT 1 FROM transfer WHERE receiving_account_id IN (${ids}) AND source = 'feed') AS "hasReports"`;
  return row!.hasReports;
}
