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
 * Returns the gaps between the completed statements of each bank account that end within the days `from` to `to`:
 * places where the opening balance of a statement is not the closing balance of the previous one.
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
  const accounts = await prisma.receivingAccount.findMany({
    where: { id: { in: statements.map(({ receivingAccountId }) => receivingAccountId) } },
    orderBy: [{ currency: 'asc' }, { id: 'asc' }],
  });
  const accountIds = new Map(statements.map(({ id, receivingAccountId }) => [id, receivingAccountId]));
  const toBankAccountId = (account: ReceivingAccount) => account.sharedBankAccountId ?? account.id;
  return [...Map.groupBy(accounts, toBankAccountId).values()].flatMap((shared) => {
    const findAccount = (statementId: string) => shared.find(({ id }) => id === accountIds.get(statementId));
    const ownStatements = statements.filter(({ id }) => findAccount(id) !== undefined);
    const spans = ownStatements.flatMap(({ id, control }) =>
      (control as StatementControl).spans.map((span): LinkedSpan => ({ ...span, statementId: id })),
    );
    return spans
      .filter(({ openingOn }) => openingOn !== undefined && from <= openingOn && openingOn <= to)
      .flatMap((next): StatementGap[] => {
        const previous = findGapBefore(
          next,
          spans.filter((other) => other !== next),
        );
        const account = findAccount(next.statementId)!;
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
