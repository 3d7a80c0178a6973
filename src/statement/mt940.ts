import { addToTotals, createTotals, type StatementListeners } from './control-totals.ts';
import { invalidStatementError } from './invalid-statement.ts';
import {
  markAsClosed,
  markAsInterimReport,
  readClosingBalance,
  readFloorLimit,
  readOpeningBalance,
  readPage,
  readSum,
} from './mt940-balances.ts';
import { toMt940Entry } from './mt940-entry.ts';
import { parseMt940Line } from './mt940-line.ts';
import { closeStatement, type Mt940Field, type Mt940ReaderState, requireStatement } from './mt940-state.ts';
import { measureField86Lines, raiseField86Widths } from './mt940-width.ts';
import type { StatementEntry } from './statement-entry.ts';
import { readTextLines, type TextLine } from './text-lines.ts';

/** SWIFT allows 6 lines of 65 characters in field 86; banks use more, but never this many characters. */
const fieldLengthMax = 10_000;

const headerLengthMax = 1000;

const tagPattern = /^(?:\{.*\{4:)?:(\d{2,3}[A-Z]?|NS):(.*)$/;

/** Returns whether `@@` replaces each line break, as the German convention for MT940 allows. */
export function hasMarkedLines(head: string): boolean {
  return /^\s*(?:@@)?:20:[^\r\n]{0,40}@@:\d\d/.test(head) || /^\s*@@:20:/.test(head);
}

/** `-` ends a message; `-}` continues with blocks of SWIFT's envelope; ING writes `-XXX`. */
const endPattern = /^-(\}.*|XXX)?\s*$/;

/**
 * Reads one or more SWIFT MT940 customer statements or MT942 interim reports, with any convention for field 86.
 * SWIFT's envelope and a bank's header lines are optional. Keeps only one movement in memory. Throws
 * `invalid_statement` with line and reason, possibly after some entries, so the caller must import all or nothing.
 * Rejects a statement with neither a closing balance nor an end mark, because its file may be truncated.
 */
export async function* readMt940(
  source: AsyncIterable<Uint8Array>,
  { onKind, onStatement }: StatementListeners = {},
): AsyncGenerator<StatementEntry> {
  const state: Mt940ReaderState = {
    entries: [],
    field: undefined,
    statement: undefined,
    header: '',
    pending: undefined,
    heldMark: undefined,
    widths: { first: 0, other: 0 },
    onKind,
    onStatement,
  };
  let lastLine = 1;
  for await (const lines of readTextLines(source, hasMarkedLines)) {
    for (const line of lines) {
      lastLine = line.line;
      readLine(state, line);
    }
    yield* state.entries.splice(0);
  }
  closeField(state);
  flushPending(state);
  checkClosed(state, lastLine);
  if (!state.statement) throw invalidStatementError(lastLine, 'the file contains no MT940 statement (:20:)');
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
    readEndMark(state, text);
  } else if (state.field && text.trim() !== '') {
    if (state.heldMark !== undefined) addText(state.field, state.heldMark);
    state.heldMark = undefined;
    addText(state.field, text);
  } else if (!state.statement && state.header.length < headerLengthMax) {
    state.header += `${text}\n`;
  }
}

/** Ends the message, unless its closing balance is missing: then the mark may be a dash in the text of field 86. */
function readEndMark(state: Mt940ReaderState, text: string): void {
  const { field, statement } = state;
  if (field?.tag === '86' && statement && !statement.isClosed) {
    state.heldMark = text;
  } else {
    closeField(state);
    flushPending(state);
    if (state.statement) state.statement.isClosed = true;
  }
}

function addText(field: Mt940Field, text: string): void {
  field.lines.push(text.trimEnd());
  field.length += text.length + 1;
  if (field.length <= fieldLengthMax) return;
  throw invalidStatementError(field.line, `field :${field.tag}: is longer than ${fieldLengthMax} characters`);
}

function closeField(state: Mt940ReaderState): void {
  const { field, heldMark } = state;
  state.field = undefined;
  state.heldMark = undefined;
  if (!field) return;
  if (field.tag === '86' || field.tag === 'NS') addInfo(state, field);
  else {
    flushPending(state);
    readField(state, field);
  }
  if (heldMark !== undefined) {
    flushPending(state);
    if (state.statement) state.statement.isClosed = true;
  }
}

/** The readers of fields by their tags. `addInfo` reads fields 86 and NS; all other fields are ignored. */
const fieldReaders = new Map<string, (state: Mt940ReaderState, field: Mt940Field) => void>([
  ...['25', '25P'].map((tag) => [tag, readAccount] as const),
  ...['28', '28C'].map((tag) => [tag, readPage] as const),
  ...['13', '13D'].map((tag) => [tag, markAsInterimReport] as const),
  ['20', openStatement],
  ['34F', readFloorLimit],
  ...['60F', '60M'].map((tag) => [tag, readOpeningBalance] as const),
  ['61', readStatementLine],
  ...['62F', '62M'].map((tag) => [tag, readClosingBalance] as const),
  // These follow the closing balance, which some banks omit.
  ...['64', '65', '65F'].map((tag) => [tag, markAsClosed] as const),
  ...['90C', '90D'].map((tag) => [tag, readSum] as const),
]);

function readField(state: Mt940ReaderState, field: Mt940Field): void {
  fieldReaders.get(field.tag)?.(state, field);
}

function openStatement(state: Mt940ReaderState, { lines, line }: Mt940Field): void {
  checkClosed(state, line);
  closeStatement(state);
  const { header } = state;
  const counters = { controlTotals: {}, totals: createTotals() };
  const reference = lines[0]!.trim();
  state.statement = {
    kind: 'mt940',
    reference,
    account: '',
    header,
    line,
    isClosed: false,
    isKindReported: false,
    ...counters,
  };
}

function readAccount(state: Mt940ReaderState, field: Mt940Field): void {
  requireStatement(state, field).account = field.lines[0]!.trim();
}

function checkClosed({ statement }: Mt940ReaderState, line: number): void {
  if (!statement || statement.isClosed) return;
  throw invalidStatementError(
    line,
    `the statement that begins on line ${statement.line} has no closing balance; the file may be truncated`,
  );
}

function readStatementLine(state: Mt940ReaderState, field: Mt940Field): void {
  const statement = requireStatement(state, field);
  const { currency } = statement;
  if (currency === undefined) {
    throw invalidStatementError(
      field.line,
      'field :61: comes before the opening balance (:60F:), which defines the currency',
    );
  }
  // A movement after the end mark continues a statement without a closing balance. The sums that end an interim
  // report may come before its movements.
  if (statement.kind === 'mt940' && statement.controlTotals.closingBalance === undefined)
    statement.isClosed = false;
  const info = { tag: '86', lines: [], length: 0, line: field.line };
  state.pending = { line: parseMt940Line(field.lines, { currency, line: field.line }), info, nsLines: [] };
}

/**
 * Fields 86 and NS belong to the preceding statement line. After a balance, they describe the account and are ignored.
 */
function addInfo({ pending, widths }: Mt940ReaderState, { tag, lines }: Mt940Field): void {
  if (!pending) return;
  if (tag === 'NS') {
    pending.nsLines.push(...lines);
    return;
  }
  for (const text of lines) addText(pending.info, text);
  raiseField86Widths(widths, lines);
}

function flushPending(state: Mt940ReaderState): void {
  const { pending, statement, widths } = state;
  state.pending = undefined;
  if (!pending) return;
  const info = { ...measureField86Lines(pending.info.lines, widths), nsLines: pending.nsLines };
  addToTotals(statement!.totals, pending.line);
  state.entries.push(toMt940Entry(pending.line, { statement: statement!, info }));
}
