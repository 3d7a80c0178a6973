import { addToTotals, createTotals, type StatementListener, type StatementTotals } from './control-totals.ts';
import { ambiguousAmountError, invalidStatementError } from './invalid-statement.ts';
import { chooseQifDateOrder, parseQifDate, type QifDateOrder } from './qif-date.ts';
import { parseStatementAmount } from './statement-amount.ts';
import type { StatementEntry, StatementKind } from './statement-entry.ts';
import { joinTexts, selectOtherTexts, withoutPlaceholder, withoutUndefined } from './statement-text.ts';
import { readTextLines, type TextLine } from './text-lines.ts';

type QifOptions = {
  /** The account's currency, which the format omits. */
  currency: string;
  /** The import day, `YYYY-MM-DD`, from which the order of day and month may follow. */
  today: string;
  onKind?: ((kind: StatementKind) => void) | undefined;
  onStatement?: StatementListener | undefined;
};

/** A record: its fields by their letter. Address lines and splits repeat a letter. */
type QifRecord = { fields: Map<string, string[]>; line: number; size: number };

/** A section with movements. */
type QifStatement = { line: number; accountId: string | undefined; totals: StatementTotals };

type QifReaderState = {
  entries: StatementEntry[];
  /** The records that wait until the date order is known. An item without a record is the end of its statement. */
  waiting: { statement: QifStatement; record?: QifRecord }[];
  waitingSize: number;
  dateOrder: QifDateOrder | undefined;
  section: 'movements' | 'account' | 'other' | undefined;
  record: QifRecord | undefined;
  accountId: string | undefined;
  /** The current section with movements, or the last one. */
  statement: QifStatement | undefined;
  options: QifOptions;
};

/** The sections with movements of money; others have categories, securities, prices or templates. */
const movementTypes = /^!Type:(Bank|Cash|CCard|Oth A|Oth L)\s*$/i;

const recordLengthMax = 64 * 1024;

/** How many records and characters are read before the order of day and month is chosen. */
const sampleCount = 2_000;
const sampleLength = 4 * 1024 * 1024;

/**
 * Reads a QIF file. Keeps only the records from which the order of day and month is derived in memory. Throws
 * `invalid_statement` with line and reason, possibly after some entries, so the caller must import all or nothing. A
 * record without its end (`^`) indicates a truncated file.
 */
export async function* readQif(
  source: AsyncIterable<Uint8Array>,
  options: QifOptions,
): AsyncGenerator<StatementEntry> {
  options.onKind?.('qif');
  const state: QifReaderState = {
    entries: [],
    waiting: [],
    waitingSize: 0,
    dateOrder: undefined,
    section: undefined,
    record: undefined,
    accountId: undefined,
    statement: undefined,
    options,
  };
  let lastLine = 1;
  for await (const lines of readTextLines(source)) {
    for (const line of lines) {
      lastLine = line.line;
      readLine(state, line);
    }
    yield* state.entries.splice(0);
  }
  if (state.record)
    throw invalidStatementError(lastLine, 'the file ends inside a record (no ^): it is truncated');
  if (!state.statement)
    throw invalidStatementError(lastLine, 'this QIF file contains no account transactions');
  closeStatement(state);
  flushWaiting(state);
  yield* state.entries;
}

function readLine(state: QifReaderState, { text: lineText, line }: TextLine): void {
  const text = lineText.trimEnd();
  if (text === '') return;
  if (text.startsWith('!')) openSection(state, text, line);
  else if (text === '^') closeRecord(state);
  else if (state.section !== undefined) addField(state, text, line);
}

function openSection(state: QifReaderState, header: string, line: number): void {
  if (state.record) throw invalidStatementError(line, `"${header.slice(0, 40)}" begins inside a record`);
  if (/^!(Option|Clear):/i.test(header)) return;
  closeStatement(state);
  if (movementTypes.test(header)) {
    state.section = 'movements';
    state.statement = { line, accountId: state.accountId, totals: createTotals() };
  } else state.section = /^!Account/i.test(header) ? 'account' : 'other';
}

function addField(state: QifReaderState, text: string, line: number): void {
  state.record ??= { fields: new Map(), line, size: 0 };
  const { fields } = state.record;
  state.record.size += text.length + 1;
  if (state.record.size > recordLengthMax)
    throw invalidStatementError(state.record.line, `a record is longer than ${recordLengthMax} characters`);
  const [letter = '', value] = [text[0], text.slice(1).trim()];
  const values = fields.get(letter) ?? [];
  values.push(value);
  fields.set(letter, values);
}

function closeRecord(state: QifReaderState): void {
  const { record, section } = state;
  state.record = undefined;
  if (!record) return;
  if (section === 'account') state.accountId = withoutPlaceholder(record.fields.get('N')?.[0]);
  else if (section === 'movements') addWaiting(state, record);
}

function closeStatement(state: QifReaderState): void {
  if (state.section === 'movements') addWaiting(state);
}

/** Adds a record of the current statement or, without one, the end of the statement. */
function addWaiting(state: QifReaderState, record?: QifRecord): void {
  state.waiting.push({ statement: state.statement!, ...(record && { record }) });
  state.waitingSize += record?.size ?? 0;
  const isSampled = state.waiting.length === sampleCount || state.waitingSize > sampleLength;
  if (state.dateOrder || isSampled) flushWaiting(state);
}

/** Converts the waiting records. The first of them determine the date order of the whole file. */
function flushWaiting(state: QifReaderState): void {
  const { waiting, options } = state;
  const dates = waiting.flatMap(({ record }) => record?.fields.get('D')?.[0] ?? []);
  const dateOrder = state.dateOrder ?? chooseQifDateOrder(dates, options);
  if (dates.length > 0) state.dateOrder = dateOrder;
  state.waitingSize = 0;
  for (const { statement, record } of waiting.splice(0)) {
    if (record) {
      const entry = toEntry(record, { ...options, dateOrder, accountId: statement.accountId });
      addToTotals(statement.totals, entry);
      state.entries.push(entry);
    } else reportStatement(statement, options);
  }
}

function reportStatement({ line, accountId, totals }: QifStatement, options: QifOptions): void {
  options.onStatement?.({
    kind: 'qif',
    line,
    ...(accountId !== undefined && { accountId }),
    accountCurrency: options.currency,
    totals,
  });
}

function toEntry(
  { fields, line }: QifRecord,
  options: { currency: string; dateOrder: QifDateOrder; accountId: string | undefined },
): StatementEntry {
  const { currency, dateOrder, accountId } = options;
  const value = (letter: string) => withoutPlaceholder(fields.get(letter)?.join(' '));
  const date = fields.get('D')?.[0];
  const amount = fields.get('T')?.[0] ?? fields.get('U')?.[0];
  if (date === undefined) throw invalidStatementError(line, 'this record has no date (D)');
  if (amount === undefined) throw invalidStatementError(line, 'this record has no amount (T)');
  const { text, isNegative } = parseQifAmount(amount, line);
  const payee = value('P');
  // Quicken begins an account with its balance, transferred from the account to itself.
  const isOpening = /^opening balance$/i.test(payee ?? '') && /^\[.*\]$/.test(fields.get('L')?.[0] ?? '');
  const reference = joinTexts(new Set([payee, value('M'), value('N')])) ?? '';
  return withoutUndefined<StatementEntry>({
    kind: 'qif',
    direction: isNegative ? 'debit' : 'credit',
    status: isOpening ? 'information' : 'booked',
    isReversal: false,
    isReturned: false,
    amount: parseStatementAmount(text, currency, line),
    transactionCount: 1,
    bookedOn: parseQifDate(date, dateOrder, line),
    reference,
    otherTexts: selectOtherTexts([value('A'), value('L'), value('S'), value('E')], [reference]),
    counterpartyName: payee,
    accountId,
    accountCurrency: currency,
    line,
  });
}

/**
 * Parses an amount. The last mark is the decimal mark. However, if three digits follow it and no other mark occurs,
 * it groups digits if it occurs several times; if it occurs once, after other digits than a single zero, the amount is
 * ambiguous and is rejected.
 */
function parseQifAmount(amount: string, line: number): { text: string; isNegative: boolean } {
  const [, sign = '', digits] = /^([+-]?)((?:\d[\d.,' ]*)?\d|[.,]\d+|\d+[.,])$/.exec(amount.trim()) ?? [];
  const marks = digits?.replace(/\d/g, '') ?? '';
  const mark = marks.at(-1) ?? '';
  const [, whole = '', fraction = ''] = /^(.*?)(?:[.,](\d*))?$/.exec(digits ?? '') ?? [];
  const isGroup = fraction.length === 3 && marks.length > 1 && [...marks].every((other) => other === mark);
  const isGrouped = (text: string) => /^\d{0,3}(?:([.,' ])\d{3}(?:\1\d{3})*)?$|^\d*$/.test(text);
  const isAmbiguous = fraction.length === 3 && marks.length === 1 && whole !== '0' && whole !== '';
  if (digits === undefined || isAmbiguous || !isGrouped(isGroup ? digits : whole))
    throw ambiguousAmountError(amount, line);
  const text = isGroup ? digits.replace(/\D/g, '') : `${whole.replace(/\D/g, '')}.${fraction}`;
  return { text: fraction === '' && !isGroup ? text.replace(/\.$/, '') : text, isNegative: sign === '-' };
}
