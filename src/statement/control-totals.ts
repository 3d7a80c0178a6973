import type { StatementEntry, StatementKind } from './statement-entry.ts';

/** A balance of the account, in minor units; negative if the account is overdrawn. */
export type StatementBalance = {
  minor: bigint;
  currency: string;
  /** `YYYY-MM-DD` */
  on?: string;
  /** Whether the statement continues on another page, or the balance was taken during the day. */
  isIntermediate: boolean;
};

/**
 * The balances, sums, counts and pages that the bank states in a file. A member that the file lacks, or that is
 * unreadable, is undefined.
 */
export type ControlTotals = {
  openingBalance?: StatementBalance;
  closingBalance?: StatementBalance;
  /** The numbers and sums of the entries, regardless of their status. Sums are in minor units of `currency`. */
  entryCount?: number;
  entrySum?: bigint;
  creditCount?: number;
  creditSum?: bigint;
  debitCount?: number;
  debitSum?: bigint;
  /** Credits minus debits. */
  netSum?: bigint;
  currency?: string;
  /** The bank's sequence number of the statement. */
  statementNumber?: string;
  pageNumber?: number;
  isLastPage?: boolean;
};

/** A row whose balance differs from the sum of the previous balance and the entries since then. */
export type BalanceBreak = { line: number; expected: bigint; actual: bigint };

/** The check of the balance column of a table. Amounts are in minor units. */
export type RunningBalance = {
  /** The number of rows whose balance does not match the previous rows. */
  breakCount: number;
  /** The first of them, at most 20. */
  breaks: BalanceBreak[];
  openingBalance?: StatementBalance;
  closingBalance?: StatementBalance;
};

/** The sums of the entries, which are compared with the control totals. A split entry counts as one. */
export type StatementTotals = {
  entryCount: number;
  creditCount: number;
  creditSum: bigint;
  debitCount: number;
  debitSum: bigint;
  /** Credits minus debits of the booked entries, which explain the difference of the balances. */
  bookedNetSum: bigint;
  /** The currencies of the entries. The sums are meaningful only if there is at most one. */
  currencies: string[];
};

/** A total in the trailer of a group or of a file, and the total that results from its parts. */
export type TrailerTotal = {
  kind: 'control_total' | 'account_count' | 'group_count' | 'record_count';
  expected: bigint;
  actual: bigint;
};

/**
 * The summary of a statement, report or notification, or of a trailer whose totals differ from those of its parts.
 * A trailer has no entries.
 */
export type StatementSummary = {
  kind: StatementKind;
  /** The position of the file in its archive; undefined if the file is not in an archive. */
  fileIndex?: number;
  /** The line on which the statement begins. */
  line: number;
  statementId?: string;
  accountId?: string;
  accountCurrency?: string;
  /** A remark about how the statement was read. */
  note?: string;
  controlTotals?: ControlTotals;
  /** The check of the balance column of a table. */
  runningBalance?: RunningBalance;
  /** The totals of a trailer that differ from those of its parts. */
  trailerTotals?: TrailerTotal[];
  totals: StatementTotals;
};

/** Called at the end of each statement, and for each trailer that differs, in file order. */
export type StatementListener = (summary: StatementSummary) => void;

/** The data that the reader of a file returns besides its entries. */
export type StatementListeners = {
  onKind?: ((kind: StatementKind) => void) | undefined;
  onStatement?: StatementListener | undefined;
};

export function createTotals(): StatementTotals {
  return {
    entryCount: 0,
    creditCount: 0,
    creditSum: 0n,
    debitCount: 0,
    debitSum: 0n,
    bookedNetSum: 0n,
    currencies: [],
  };
}

export function addToTotals(
  totals: StatementTotals,
  { direction, status, amount }: Pick<StatementEntry, 'direction' | 'status' | 'amount'>,
): void {
  totals.entryCount += 1;
  totals[direction === 'credit' ? 'creditCount' : 'debitCount'] += 1;
  totals[direction === 'credit' ? 'creditSum' : 'debitSum'] += amount.minor;
  if (status === 'booked') totals.bookedNetSum += direction === 'credit' ? amount.minor : -amount.minor;
  if (!totals.currencies.includes(amount.currency)) totals.currencies.push(amount.currency);
}

/** Returns the totals, or undefined if there are none. */
export function withoutEmptyTotals(controlTotals: ControlTotals): ControlTotals | undefined {
  return Object.keys(controlTotals).length === 0 ? undefined : controlTotals;
}
