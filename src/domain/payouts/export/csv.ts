/** One column of a CSV file: its title, and the text of its cell for a row. */
export type CsvColumn<Row> = {
  title: string;
  /** Null leaves the cell empty. */
  value: (row: Row) => string | null;
  /** Plain decimal numbers stay numbers, negative ones too. */
  isNumber?: true;
};

export function column<Row>(title: string, value: CsvColumn<Row>['value']): CsvColumn<Row> {
  return { title, value };
}

/** A column of amounts or rates; never the first, since a reader that splits elsewhere takes a line for one cell. */
export function numberColumn<Row>(title: string, value: CsvColumn<Row>['value']): CsvColumn<Row> {
  return { title, value, isNumber: true };
}

/** Some spreadsheets recognize UTF-8 only by this mark. */
export const byteOrderMark = '\uFEFF';
const lineEnd = '\r\n';

export function csvHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return columns.map(({ title }) => quote(title)).join(',') + lineEnd;
}

/** Lines after RFC 4180. */
export function csvLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => formatCell(column, row)).join(',') + lineEnd).join('');
}

function formatCell<Row>({ value, isNumber }: CsvColumn<Row>, row: Row): string {
  const text = value(row);
  if (text === null) return '';
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? text : quote(escapeFormula(text));
}

/** Starts a formula in a spreadsheet; a tab or carriage return may be dropped before one (OWASP: CSV injection). */
const formulaStart = /[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]/u;
/** What a reader may drop at the beginning of a cell: space, control and format characters, and quotes. */
const ignorable = /[\p{C}\p{Z}"']/u;
const formulaPattern = new RegExp(`^${ignorable.source}*${formulaStart.source}`, 'u');
/** What may separate cells or rows, whether or not the reader honors quotes. */
const separator = /[,;|\t\r\n]/;

/**
 * Puts an apostrophe wherever a cell may begin whose text would run as a formula, so that a customer's name can neither
 * read other cells nor call a server. Reads backwards in one pass, because a pattern would look ahead over and over.
 */
function escapeFormula(text: string): string {
  if (!separator.test(text)) return formulaPattern.test(text) ? `'${text}` : text;
  let safe = '';
  let startsFormula = false;
  for (const character of [...text].reverse()) {
    safe = (startsFormula && separator.test(character) ? `${character}'` : character) + safe;
    startsFormula = formulaStart.test(character) || (startsFormula && ignorable.test(character));
  }
  return startsFormula ? `'${safe}` : safe;
}

function quote(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
