import type { BalanceBreak, RunningBalance, StatementBalance } from './control-totals.ts';
import type { StatementEntry } from './statement-entry.ts';

const breaksMax = 20;

type CheckedEntry = Pick<
  StatementEntry,
  'line' | 'direction' | 'amount' | 'status' | 'balanceAfter' | 'bookedOn'
>;

/** A row with a balance. `others` is the sum of the rows without one, before the first or after the last such row. */
type BalancedRow = { balanceAfter: bigint; change: bigint; others: bigint; entry: CheckedEntry };

type RowOrder = { last: bigint | undefined; sum: bigint; breakCount: number; breaks: BalanceBreak[] };

/**
 * Creates a check that adds up the entries of a table line by line and compares the sums with the balance column.
 * Tables list the oldest or the newest entry first, so both orders are checked, and the one with fewer differences is
 * used. A row without a balance is added to the next row that has one. Keeps no entries in memory.
 */
export function createRunningBalance(): {
  add: (entry: CheckedEntry) => void;
  getResult: () => RunningBalance | undefined;
} {
  const oldestFirst: RowOrder = { last: undefined, sum: 0n, breakCount: 0, breaks: [] };
  const newestFirst: RowOrder = { last: undefined, sum: 0n, breakCount: 0, breaks: [] };
  let first: BalancedRow | undefined;
  let final: BalancedRow | undefined;
  const currencies = new Set<string>();
  const add = (entry: CheckedEntry) => {
    if (entry.status !== 'booked') return;
    currencies.add(entry.amount.currency);
    const change = entry.direction === 'credit' ? entry.amount.minor : -entry.amount.minor;
    const { balanceAfter } = entry;
    oldestFirst.sum += change;
    if (balanceAfter !== undefined) {
      compare(oldestFirst, oldestFirst.sum, { line: entry.line, balanceAfter });
      compare(newestFirst, -newestFirst.sum, { line: entry.line, balanceAfter });
      first ??= { balanceAfter, change, others: oldestFirst.sum - change, entry };
      final = { balanceAfter, change, others: 0n, entry };
      oldestFirst.sum = 0n;
      newestFirst.sum = 0n;
    } else if (final) final.others += change;
    // If the newest entry comes first, the next row has the balance before this entry.
    newestFirst.sum += change;
  };
  const getResult = (): RunningBalance | undefined => {
    // Entries in several currencies do not add up to one balance.
    if (!first || !final || currencies.size !== 1) return undefined;
    const isTie = newestFirst.breakCount === oldestFirst.breakCount;
    const isNewestFirst = isTie
      ? (first.entry.bookedOn ?? '') > (final.entry.bookedOn ?? '')
      : newestFirst.breakCount < oldestFirst.breakCount;
    const { breakCount, breaks } = isNewestFirst ? newestFirst : oldestFirst;
    const [currency = ''] = currencies;
    const toBalance = (minor: bigint, { bookedOn }: CheckedEntry): StatementBalance => ({
      minor,
      currency,
      ...(bookedOn !== undefined && { on: bookedOn }),
      isIntermediate: false,
    });
    const [oldest, newest] = isNewestFirst ? [final, first] : [first, final];
    return {
      breakCount,
      breaks,
      openingBalance: toBalance(oldest.balanceAfter - oldest.change - oldest.others, oldest.entry),
      closingBalance: toBalance(newest.balanceAfter + newest.others, newest.entry),
    };
  };
  return { add, getResult };
}

function compare(
  order: RowOrder,
  change: bigint,
  { line, balanceAfter }: { line: number; balanceAfter: bigint },
): void {
  if (order.last !== undefined && order.last + change !== balanceAfter) {
    order.breakCount += 1;
    if (order.breaks.length < breaksMax)
      order.breaks.push({ line, expected: order.last + change, actual: balanceAfter });
  }
  order.last = balanceAfter;
}
