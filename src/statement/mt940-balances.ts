import { createTotals, type StatementBalance } from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { mt940Amount, toDecimalPoint } from './mt940-amount.ts';
import { parseMt940Date } from './mt940-date.ts';
import {
  closeStatement,
  type Mt940Field,
  type Mt940ReaderState,
  reportKind,
  requireStatement,
} from './mt940-state.ts';
import { parseStatementAmount } from './statement-amount.ts';

/** Reads the number of the statement and of the page (`5n[/5n]`). */
export function readPage(state: Mt940ReaderState, field: Mt940Field): void {
  const { controlTotals } = requireStatement(state, field);
  const [, statementNumber, pageNumber] = /^(\d+)(?:\/(\d+))?$/.exec(field.lines[0]!.trim()) ?? [];
  if (statementNumber !== undefined) controlTotals.statementNumber = statementNumber;
  if (pageNumber !== undefined) controlTotals.pageNumber = Number(pageNumber);
}

export function readOpeningBalance(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  const balance = parseBalance(field, undefined);
  // Some banks write several statements under one reference.
  if (statement.isClosed) {
    closeStatement(state);
    Object.assign(statement, { line: field.line, controlTotals: {}, totals: createTotals() });
  }
  reportKind(state);
  statement.currency = balance.currency;
  statement.controlTotals.openingBalance = balance;
  statement.isClosed = false;
}

export function readClosingBalance(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  const balance = parseBalance(field, statement.currency);
  if (balance.currency !== statement.currency) {
    throw invalidStatementError(
      field.line,
      `the closing balance is in ${balance.currency}, but the opening balance is not`,
    );
  }
  statement.controlTotals.closingBalance = balance;
  statement.controlTotals.isLastPage = !balance.isIntermediate;
  statement.isClosed = true;
}

const balancePattern = new RegExp(`^([CD])(\\d{6})([A-Z]{3})?(${mt940Amount})$`);

/** Parses a balance (`1!a6!n3!a15d`: mark, date, currency, amount), of which some banks omit the currency. */
function parseBalance(
  { tag, lines, line }: Mt940Field,
  statementCurrency: string | undefined,
): StatementBalance {
  const [, mark, date = '', currency = statementCurrency, amount = ''] =
    balancePattern.exec(lines[0]!.trim()) ?? [];
  if (mark === undefined || currency === undefined)
    throw invalidStatementError(line, `":${tag}:${lines[0]!.slice(0, 60)}" is not a balance`);
  const on = parseMt940Date(date, line);
  const { minor } = parseStatementAmount(toDecimalPoint(amount), currency, line);
  return { minor: mark === 'D' ? -minor : minor, currency, on, isIntermediate: tag.endsWith('M') };
}

export function markAsInterimReport(state: Mt940ReaderState, field: Mt940Field): void {
  requireStatement(state, field).kind = 'mt942';
  reportKind(state);
}

/** Reads the currency of the floor limit (`3!a[1!a]15d`), the smallest amount that an interim report lists. */
export function readFloorLimit(state: Mt940ReaderState, field: Mt940Field): void {
  markAsInterimReport(state, field);
  const [currency] = /^[A-Z]{3}/.exec(field.lines[0]!.trim()) ?? [];
  if (currency !== undefined) requireStatement(state, field).currency = currency;
}

const sumPattern = new RegExp(`^(\\d{1,5})([A-Z]{3})(${mt940Amount})$`);

/** Reads the number and the sum of the debits or credits of an interim report (`5n3!a15d`), which end it. */
export function readSum(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  statement.isClosed = true;
  const [, count, currency = '', amount = ''] = sumPattern.exec(field.lines[0]!.trim()) ?? [];
  if (count === undefined || currency !== statement.currency) return;
  const { minor } = parseStatementAmount(toDecimalPoint(amount), currency, field.line);
  const isCredit = field.tag === '90C';
  Object.assign(
    statement.controlTotals,
    isCredit
      ? { creditCount: Number(count), creditSum: minor, currency }
      : { debitCount: Number(count), debitSum: minor, currency },
  );
}

export function markAsClosed({ statement }: Mt940ReaderState): void {
  if (statement) statement.isClosed = true;
}
