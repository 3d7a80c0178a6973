import {
  addToTotals,
  type ControlFigures,
  createTotals,
  type StatementBalance,
  type StatementListener,
  type StatementSummary,
  type StatementTotals,
  withoutEmptyFigures,
} from './control-figures.ts';
import { invalidStatement } from './invalid-statement.ts';
import { parseMt940Date } from './mt940-date.ts';
import { getMt940Account, type Mt940Statement, toMt940Entry } from './mt940-entry.ts';
import { type Mt940Line, parseMt940Line } from './mt940-line.ts';
import { parseStatementAmount } from './statement-amount.ts';
import type { StatementEntry } from './statement-entry.ts';
import { withoutUndefined } from './statement-text.ts';
import { readTextLines, type TextLine } from './text-lines.ts';

/** A field that is being read. `length` is the number of its characters, `line` the number of its first line. */
type Mt940Field = { tag: string; lines: string[]; length: number; line: number };

/** The current statement, to which all fields belong until the next statement starts. */
type OpenStatement = Mt940Statement & {
  line: number;
  isClosed: boolean;
  figures: ControlFigures;
  totals: StatementTotals;
};

type Mt940ReaderState = {
  entries: StatementEntry[];
  field: Mt940Field | undefined;
  statement: OpenStatement | undefined;
  /** The text before the first field: SWIFT's envelope or the bank's own lines. */
  header: string;
  /** A statement line, with the lines of its field 86 that have been read so far. */
  pending: { line: Mt940Line; info: Mt940Field } | undefined;
  /** The length of the longest line of any field 86 so far: the width at which this bank wraps lines. */
  width: number;
  onStatement: StatementListener | undefined;
};

/** SWIFT allows 6 lines of 65 characters in field 86; banks use more, but never this many characters. */
const fieldLengthMax = 10_000;

const headerLengthMax = 1000;

const tagPattern = /^(?:\{.*\{4:)?:(\d{2,3}[A-Z]?|NS):(.*)$/;

/** `-` ends a message; `-}` continues with blocks of SWIFT's envelope; ING writes `-XXX`. */
const endPattern = /^-(\}.*|XXX)?\s*$/;

/**
 * Reads one or more SWIFT MT940 customer statements, with any convention for field 86. SWIFT's envelope and a bank's
 * header lines are optional. Keeps only one movement in memory. Throws `invalid_statement` with line and reason,
 * possibly after some entries, so the caller must import all or nothing. A missing closing balance indicates a
 * truncated file. Calls `onStatement` at the end of each statement.
 */
export async function* readMt940(
  source: AsyncIterable<Uint8Array>,
  { onStatement }: { onStatement?: StatementListener | undefined } = {},
): AsyncGenerator<StatementEntry> {
  const state: Mt940ReaderState = {
    entries: [],
    field: undefined,
    statement: undefined,
    header: '',
    pending: undefined,
    width: 0,
    onStatement,
  };
  let lastLine = 1;
  for await (const lines of readTextLines(source)) {
    for (const line of lines) {
      lastLine = line.line;
      readLine(state, line);
    }
    yield* state.entries.splice(0);
  }
  closeField(state);
  flushPending(state);
  checkClosed(state, lastLine);
  if (!state.statement) throw invalidStatement(lastLine, 'the file contains no MT940 statement (:20:)');
  closeStatement(state);
  yield* state.entries;
}

function readLine(state: Mt940ReaderState, { text, line }: TextLine): void {
  const tag = tagPattern.exec(text);
  if (tag) {
    closeField(state);
    state.field = { tag: tag[1]!, lines: [], length: 0, line };
    addText(state.field, tag[2]!);
  } else if (endPattern.test(text)) {
    closeField(state);
    flushPending(state);
  } else if (state.field && text.trim() !== '') {
    addText(state.field, text);
  } else if (!state.statement && state.header.length < headerLengthMax) {
    state.header += `${text}\n`;
  }
}

function addText(field: Mt940Field, text: string): void {
  field.lines.push(text.trimEnd());
  field.length += text.length + 1;
  if (field.length <= fieldLengthMax) return;
  throw invalidStatement(field.line, `field :${field.tag}: is longer than ${fieldLengthMax} characters`);
}

function closeField(state: Mt940ReaderState): void {
  const { field } = state;
  state.field = undefined;
  if (!field) return;
  const text = field.lines[0]!.trim();
  if (field.tag === '86') addInfo(state, field);
  else flushPending(state);
  if (field.tag === '20') openStatement(state, text, field.line);
  else if (field.tag === '25' || field.tag === '25P') requireStatement(state, field).account = text;
  else if (field.tag === '28' || field.tag === '28C') readPage(requireStatement(state, field), text);
  else if (/^60[FM]$/.test(field.tag)) readOpeningBalance(state, field);
  else if (field.tag === '61') readStatementLine(state, field);
  else if (/^62[FM]$/.test(field.tag)) readClosingBalance(state, field);
}

function openStatement(state: Mt940ReaderState, reference: string, line: number): void {
  checkClosed(state, line);
  closeStatement(state);
  const { header } = state;
  const counters = { figures: {}, totals: createTotals() };
  state.statement = { reference, account: '', header, line, isClosed: false, ...counters };
}

/** Reports the statement, to which all fields so far belong. */
function closeStatement({ statement, onStatement }: Mt940ReaderState): void {
  if (statement) onStatement?.(toSummary(statement));
}

function toSummary(statement: OpenStatement): StatementSummary {
  return withoutUndefined<StatementSummary>({
    kind: 'mt940',
    line: statement.line,
    ...getMt940Account(statement),
    controlFigures: withoutEmptyFigures(statement.figures),
    totals: statement.totals,
  });
}

/** Reads the number of the statement and of the page (`5n[/5n]`). */
function readPage({ figures }: OpenStatement, text: string): void {
  const [, statementNumber, pageNumber] = /^(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
  if (statementNumber !== undefined) figures.statementNumber = statementNumber;
  if (pageNumber !== undefined) figures.pageNumber = Number(pageNumber);
}

function checkClosed({ statement }: Mt940ReaderState, line: number): void {
  if (!statement || statement.isClosed) return;
  throw invalidStatement(
    line,
    `the statement that begins on line ${statement.line} has no closing balance; the file may be truncated`,
  );
}

function requireStatement({ statement }: Mt940ReaderState, { tag, line }: Mt940Field): OpenStatement {
  if (!statement) throw invalidStatement(line, `field :${tag}: comes before any statement (:20:)`);
  return statement;
}

function readOpeningBalance(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  const balance = parseBalance(field);
  // Some banks write several statements under one reference.
  if (statement.isClosed) {
    closeStatement(state);
    Object.assign(statement, { line: field.line, figures: {}, totals: createTotals() });
  }
  statement.currency = balance.currency;
  statement.figures.openingBalance = balance;
  statement.isClosed = false;
}

function readClosingBalance(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  const balance = parseBalance(field);
  if (balance.currency !== statement.currency) {
    throw invalidStatement(
      field.line,
      `the closing balance is in ${balance.currency}, but the opening balance is not`,
    );
  }
  statement.figures.closingBalance = balance;
  statement.figures.isLastPage = !balance.isIntermediate;
  statement.isClosed = true;
}

/** Parses a balance (`1!a6!n3!a15d`: mark, date, currency, amount). */
function parseBalance({ tag, lines, line }: Mt940Field): StatementBalance {
  const match = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,15})?)$/.exec(lines[0]!.trim());
  if (!match) throw invalidStatement(line, `":${tag}:${lines[0]!.slice(0, 60)}" is not a balance`);
  const [, mark, date = '', currency = '', amount = ''] = match;
  const on = parseMt940Date(date, line);
  const { minor } = parseStatementAmount(amount.replace(',', '.'), currency, line);
  return { minor: mark === 'D' ? -minor : minor, currency, on, isIntermediate: tag.endsWith('M') };
}

function readStatementLine(state: Mt940ReaderState, field: Mt940Field): void {
  const { currency } = requireStatement(state, field);
  if (currency === undefined) {
    throw invalidStatement(
      field.line,
      'field :61: comes before the opening balance (:60F:), which defines the currency',
    );
  }
  const info = { tag: '86', lines: [], length: 0, line: field.line };
  state.pending = { line: parseMt940Line(field.lines, { currency, line: field.line }), info };
}

/**
 * Field 86 belongs to the preceding statement line. After a balance, it describes the account and is ignored.
 */
function addInfo(state: Mt940ReaderState, { lines }: Mt940Field): void {
  if (!state.pending) return;
  for (const text of lines) addText(state.pending.info, text);
  state.width = Math.max(state.width, ...lines.slice(0, -1).map(({ length }) => length));
}

function flushPending(state: Mt940ReaderState): void {
  const { pending, statement, width } = state;
  state.pending = undefined;
  if (!pending) return;
  const info = { lines: pending.info.lines, width };
  addToTotals(statement!.totals, pending.line);
  state.entries.push(toMt940Entry(pending.line, { statement: statement!, info }));
}
