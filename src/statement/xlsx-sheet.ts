import type { CsvRecord } from './csv-records.ts';
import { invalidStatementError } from './invalid-statement.ts';
import { readXml, type XmlTag } from './read-xml.ts';
import { formatXlsxDate, formatXlsxNumber } from './xlsx-number.ts';

/** The maximum number of columns that are read; Excel allows 16,384. */
const columnsMax = 500;

/** The data of the workbook that the cells of every sheet need. */
export type XlsxContext = {
  sharedStrings: string[];
  /** Whether each cell style shows dates. */
  dateStyles: boolean[];
  dateSystem: '1900' | '1904';
  decimalMark: '.' | ',';
};

type XlsxCell = {
  column: number;
  type: string;
  style: number;
  text: string;
  hasFormula: boolean;
  hasValue: boolean;
};
type SheetState = {
  rows: CsvRecord[];
  row: { cells: string[]; line: number } | undefined;
  lastLine: number;
  cell: XlsxCell | undefined;
  isText: boolean;
};

/** Streams the non-blank rows of a worksheet part. */
export async function* readSheetRows(
  source: AsyncIterable<Uint8Array>,
  context: XlsxContext,
): AsyncGenerator<CsvRecord> {
  const state: SheetState = { rows: [], row: undefined, lastLine: 0, cell: undefined, isText: false };
  const names: string[] = [];
  const blocks = readXml(source, {
    open: (tag) => {
      names.push(tag.name);
      openElement(state, tag);
    },
    text: (text) => {
      if (state.isText && state.cell) state.cell.text += text;
    },
    close: () => closeElement(state, names.pop() ?? '', context),
  });
  for await (const _ of blocks) yield* state.rows.splice(0);
  yield* state.rows;
}

function openElement(state: SheetState, { name, attributes }: XmlTag): void {
  state.isText = false;
  if (name === 'row') {
    const line = Number(attributes.get('r') ?? state.lastLine + 1);
    state.row = { cells: [], line: Number.isSafeInteger(line) && line > 0 ? line : state.lastLine + 1 };
    state.lastLine = state.row.line;
  } else if (name === 'c' && state.row) {
    const column = findColumn(attributes.get('r')) ?? state.row.cells.length;
    const [type, style] = [attributes.get('t') ?? 'n', Number(attributes.get('s') ?? 0)];
    state.cell = { column, type, style, text: '', hasFormula: false, hasValue: false };
  } else if (state.cell) {
    if (name === 'f') state.cell.hasFormula = true;
    if (name === 'v' || name === 't') {
      state.cell.hasValue = true;
      state.isText = true;
    }
  }
}

function closeElement(state: SheetState, name: string, context: XlsxContext): void {
  state.isText = false;
  const { row, cell } = state;
  if (name === 'c' && row && cell) {
    const text = toText(cell, context);
    state.cell = undefined;
    // Workbooks may have formats without values in all 16,384 columns.
    if (text !== '' && cell.column >= columnsMax)
      throw invalidStatementError(row.line, `row ${row.line} has more than ${columnsMax} columns`);
    if (text !== '') {
      while (row.cells.length < cell.column) row.cells.push('');
      row.cells[cell.column] = text;
    } else if (row.cells.length === cell.column && cell.column < columnsMax) row.cells.push('');
  }
  if (name === 'row' && row) {
    if (row.cells.some((cell) => cell !== '')) state.rows.push({ ...row, hasFixedColumns: true });
    state.row = undefined;
  }
}

/** Returns the index of the column of a reference such as `B5`. */
function findColumn(reference: string | undefined): number | undefined {
  const letters = /^([A-Z]{1,3})\d*$/.exec(reference ?? '')?.[1];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function toText({ type, style, text, hasFormula, hasValue }: XlsxCell, context: XlsxContext): string {
  // A blank cell would pass as a missing amount; this text makes the import fail visibly.
  if (hasFormula && (!hasValue || text === '') && type !== 'str') return 'formula without a stored value';
  if (type === 's') return (context.sharedStrings[Number(text)] ?? '').trim();
  if (type !== 'n') return text.trim();
  if (text === '') return '';
  const date = context.dateStyles[style] ? formatXlsxDate(text, context.dateSystem) : undefined;
  return date ?? formatXlsxNumber(text, context.decimalMark);
}
