import { Prisma, type ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { StatementControl } from '../statement/check-statement.ts';
import { findGapBefore, type StatementSpan } from '../statement/continuity.ts';

/** Days of an account that no imported statement covers, or balances that contradict each other. */
export type StatementGap = {
  account: ReceivingAccount;
  currency: string;
  previous: LinkedSpan;
  next: LinkedSpan;
};

type LinkedSpan = StatementSpan & { statementId: string };

/**
 * Returns the gaps between the completed statements of each account that end within the days `from` to `to`: places
 * where the opening balance of a statement is not the closing balance of the previous one.
 */
export async function findStatementGaps(
  { prisma }: Pick<Db, 'prisma'>,
  { merchantId, mode, from, to }: MerchantScope & { from: string; to: string },
): Promise<StatementGap[]> {
  const statements = await prisma.statement.findMany({
    where: { merchantId, mode, status: 'completed', control: { not: Prisma.AnyNull } },
    select: { id: true, receivingAccountId: true, control: true },
    orderBy: { id: 'asc' },
  });
  const byAccount = Map.groupBy(statements, ({ receivingAccountId }) => receivingAccountId);
  const accounts = await prisma.receivingAccount.findMany({
    where: { id: { in: [...byAccount.keys()] } },
    orderBy: [{ currency: 'asc' }, { id: 'asc' }],
  });
  return accounts.flatMap((account) => {
    const spans = (byAccount.get(account.id) ?? []).flatMap(({ id, control }) =>
      (control as StatementControl).spans.map((span): LinkedSpan => ({ ...span, statementId: id })),
    );
    return spans
      .filter(({ openingOn }) => openingOn !== undefined && from <= openingOn && openingOn <= to)
      .flatMap((next): StatementGap[] => {
        const previous = findGapBefore(
          next,
          spans.filter((other) => other !== next),
        );
        return previous ? [{ account, currency: next.currency, previous, next }] : [];
      })
      .filter(isFirstReport);
  });
}

/** Keeps the first of equal gaps, since several files may contain the same statement. */
function isFirstReport(gap: StatementGap, index: number, gaps: readonly StatementGap[]): boolean {
  const toKey = ({ previous, next }: StatementGap) =>
    [previous.closingOn, previous.closing, next.openingOn, next.opening].join(' ');
  return gaps.findIndex((other) => toKey(other) === toKey(gap)) === index;
}
