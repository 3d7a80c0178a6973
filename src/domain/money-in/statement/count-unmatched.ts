import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';

/** Returns how many transfers of each statement need review now. Statements without such transfers are absent. */
export async function countUnmatched(
  { prisma }: Pick<Db, 'prisma'>,
  { merchantId, mode, statementIds }: MerchantScope & { statementIds: string[] },
): Promise<Map<string, number>> {
  const counts = await prisma.transfer.groupBy({
    by: ['statementId'],
    where: { merchantId, mode, status: 'exception', statementId: { in: statementIds } },
    _count: true,
  });
  return new Map(counts.map(({ statementId, _count }) => [statementId ?? '', _count]));
}
