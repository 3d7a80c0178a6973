import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/**
 * Returns the subscriptions with a paid charge whose money was reversed by the bank, or undone with its
 * statement, and that was neither paid again nor reviewed.
 */
export async function findReversedSubscriptions(
  { prisma }: Pick<Db, 'prisma'>,
  { merchantId, mode }: MerchantScope,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT c.subscription_id AS id FROM charge c JOIN allocation a ON a.charge_id = c.id
    JOIN transfer t ON t.id = a.transfer_id
    WHERE c.merchant_id = ${merchantId} AND c.mode = ${mode}::mode AND c.subscription_id = ANY(${[...ids]})
      AND c.status = 'completed' AND a.amount < 0 AND a.reason IN ('reversed', 'statement_undone')
      AND t.status = 'exception' AND t.reason = 'reversed'`;
  return new Set(rows.map(({ id }) => id));
}
