import {
  addToTotals,
  createTotals,
  type StatementBalance,
  type StatementListeners,
  type StatementTotals,
} from './control-totals.ts';
import { invalidStatementError, withoutUnreadable } from './invalid-statement.ts';
import { type OfxToken, readOfxTokens } from './ofx-tokens.ts';
import {
  type OfxAccount,
  type OfxTransaction,
  parseOfxAmount,
  parseOfxDate,
  toOfxEntry,
} from './ofx-transaction.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';

/**
 * The aggregates, which are elements that contain others, as far as they are read. In SGML, only aggregates have
 * closing tags.
 */
const statements = ['STMTRS', 'CCSTMTRS'];
const transactions = ['STMTTRN', 'STMTTRNP'];
const containers = ['PAYEE', 'BANKACCTTO', 'CCACCTTO', 'CURRENCY', 'ORIGCURRENCY'];
const parts = ['BANKACCTFROM', 'CCACCTFROM', 'BANKTRANLIST', 'LEDGERBAL', 'AVAILBAL'];
const aggregates = new Set(['OFX', ...statements, ...transactions, ...containers, ...parts]);

type OfxReaderState = {
  entries: StatementEntry[];
  /** The names of the open elements, from the outermost to the innermost. */
  open: string[];
  statement: OpenOfxStatement | undefined;
  transaction: OfxTransaction | undefined;
  hasStatement: boolean;
  isComplete: boolean;
  onStatement: StatementListeners['onStatement'];
};

type OpenOfxStatement = {
  line: number;
  account: OfxAccount;
  totals: StatementTotals;
  /** The first and the last day that the list of transactions covers. */
  startsOn?: string;
  endsOn?: string;
  /** The first and the last day of the booked transactions. `earliestOn` is empty if one of them has no day. */
  earliestOn?: string;
  latestOn?: string;
  /** The ledger balance with its day. */
  balance?: { amount: string; on?: string };
  note?: string;
};

/**
 * Reads the bank and credit card statements of an OFX file (versions 1 and 2, and QFX). Keeps only one transaction
 * in memory. Throws `invalid_statement` with line and reason, possibly after some entries, so the caller must
 * import all or nothing.
 */
export async function* readOfx(
  source: AsyncIterable<Uint8Array>,
  { onKind, onStatement }: StatementListeners = {},
): AsyncGenerator<StatementEntry> {
  onKind?.('ofx');
  const state: OfxReaderState = {
    entries: [],
    open: [],
    statement: undefined,
    transaction: undefined,
    hasStatement: false,
    isComplete: false,
    onStatement,
  };
  let line = 1;
  for await (const tokens of readOfxTokens(source)) {
    for (const token of tokens) {
      line = token.line;
      readToken(state, token);
    }
    yield* state.entries.splice(0);
  }
  if (!state.isComplete) throw invalidStatementError(line, 'the file has no </OFX>: it is truncated');
  if (!state.hasStatement) throw invalidStatementError(line, 'this OFX file contains no account statement');
}

function readToken(state: OfxReaderState, { name, text, line }: OfxToken): void {
  if (name.startsWith('/')) {
    if (aggregates.has(name.slice(1))) closeAggregate(state, name.slice(1), line);
  } else if (aggregates.has(name)) {
    openAggregate(state, name, line);
  } else {
    readValue(state, name, text, line);
  }
}

function openAggregate(state: OfxReaderState, name: string, line: number): void {
  if (state.transaction && transactions.includes(name))
    throw invalidStatementError(line, `<${name}> begins inside another transaction`);
  state.open.push(name);
  if (statements.includes(name)) {
    state.hasStatement = true;
    state.statement = { line, account: {}, totals: createTotals() };
  } else if (transactions.includes(name) && state.statement) {
    state.transaction = { values: new Map(), isPending: name === 'STMTTRNP', line };
  }
}

function closeAggregate(state: OfxReaderState, name: string, line: number): void {
  const { statement, transaction } = state;
  // Some banks do not close lists. A transaction must be closed, because a part of it may be missing.
  const at = state.open.lastIndexOf(name);
  const isOpenTransaction =
    transaction !== undefined && !transactions.includes(name) && !containers.includes(name);
  if (at === -1 || isOpenTransaction) throw invalidStatementError(line, `</${name}> closes no element`);
  state.open.length = at;
  if (name === 'OFX') state.isComplete = true;
  if (statement && statements.includes(name)) {
    state.onStatement?.({
      kind: 'ofx',
      line: statement.line,
      ...statement.account,
      ...withoutUndefined<{ note?: string }>({ note: statement.note }),
      ...readControlTotals(statement),
      totals: statement.totals,
    });
    state.statement = undefined;
  }
  if (!statement || !transaction || !transactions.includes(name)) return;
  state.transaction = undefined;
  const entry = toOfxEntry(transaction, statement.account);
  if (transaction.values.has('CORRECTFITID'))
    statement.note =
      'the bank corrects transactions that it reported earlier; the corrections are not recorded';
  addToTotals(statement.totals, entry);
  if (entry.status === 'booked') addDay(statement, entry.bookedOn ?? '');
  state.entries.push(entry);
}

function addDay(statement: OpenOfxStatement, day: string): void {
  const { earliestOn = day, latestOn = day } = statement;
  statement.earliestOn = day < earliestOn ? day : earliestOn;
  statement.latestOn = day > latestOn ? day : latestOn;
}

function readValue(
  { open, statement, transaction }: OfxReaderState,
  name: string,
  text: string,
  line: number,
) {
  const parent = open.at(-1) ?? '';
  if (!statement || text === '') return;
  if (transaction) {
    const path = containers.includes(parent) ? `${parent}/${name}` : name;
    if (!transaction.values.has(path)) transaction.values.set(path, text);
  } else if (name === 'CURDEF') statement.account.accountCurrency = text;
  else if (name === 'ACCTID' && /^(BANK|CC)ACCTFROM$/.test(parent)) statement.account.accountId = text;
  else if (name === 'DTSTART' && parent === 'BANKTRANLIST') {
    const startsOn = tryReadDay(text, line);
    if (startsOn !== undefined) statement.startsOn = startsOn;
  } else if (name === 'DTEND' && parent === 'BANKTRANLIST') statement.endsOn = readDay(text, line);
  else if (parent === 'LEDGERBAL' && name === 'BALAMT') statement.balance = { amount: text };
  else if (parent === 'LEDGERBAL' && name === 'DTASOF' && statement.balance)
    statement.balance.on = readDay(text, line);
}

function readDay(text: string, line: number): string {
  return parseOfxDate(text, line).bookedOn!;
}

/** Returns undefined for a text that is not a date, such as the zeros that some banks write for the first day. */
function tryReadDay(text: string, line: number): string | undefined {
  return withoutUnreadable(() => readDay(text, line));
}

/**
 * Returns the closing balance and the opening balance that results from it, unless the balance is of another day
 * than the end of the transactions, such as the day of the download.
 */
function readControlTotals(statement: OpenOfxStatement) {
  const { balance, endsOn, account, line } = statement;
  const currency = account.accountCurrency;
  if (!balance || currency === undefined || (endsOn !== undefined && balance.on !== endsOn)) return {};
  // The entries are complete without the balance.
  const controlTotals = withoutUnreadable(() => {
    const { amount, isNegative } = parseOfxAmount(balance.amount, currency, line);
    const closingBalance = withoutUndefined<StatementBalance>({
      minor: isNegative ? -amount.minor : amount.minor,
      currency,
      on: balance.on,
      isIntermediate: false,
    });
    const openingBalance = computeOpeningBalance(statement, closingBalance);
    return { ...(openingBalance && { openingBalance }), closingBalance };
  });
  return controlTotals ? { controlTotals } : {};
}

/**
 * Returns the balance before the first day: the closing balance minus the booked transactions, because OFX
 * files have no opening balance. Returns undefined if the transactions may not explain the closing balance.
 */
function computeOpeningBalance(
  { startsOn, endsOn, earliestOn = endsOn, latestOn = endsOn, note, totals }: OpenOfxStatement,
  closingBalance: StatementBalance,
): StatementBalance | undefined {
  const { currency, minor } = closingBalance;
  if (startsOn === undefined || earliestOn === undefined || latestOn === undefined) return undefined;
  const isOutside = earliestOn < startsOn || latestOn > endsOn!;
  const hasOtherCurrency = totals.currencies.some((other) => other !== currency);
  // A correction changes an earlier transaction, so the amounts do not add up.
  if (isOutside || hasOtherCurrency || note !== undefined) return undefined;
  return { ...closingBalance, minor: minor - totals.bookedNetSum, on: startsOn };
}
