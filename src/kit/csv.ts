export type CsvColumn<Row> = {
  title: string;
  /** Null leaves the cell empty. */
  value: (row: Row) => string | null;
  /** Set for decimal numbers, which are not escaped as formulas, even if they are negative. */
  isNumber?: true;
};

export function column<Row>(title: string, value: CsvColumn<Row>['value']): CsvColumn<Row> {
  return { title, value };
}

/**
 * Returns a column of amounts or rates. The column must not be the first one, because a parser with another
 * separator would read the whole line as one cell.
 */
export function numberColumn<Row>(title: string, value: CsvColumn<Row>['value']): CsvColumn<Row> {
  return { title, value, isNumber: true };
}

/** Some spreadsheets recognize UTF-8 only by this mark. */
export const byteOrderMark = '\uFEFF';
const lineEnd = '\r\n';

export function formatHeader<Row>(columns: readonly CsvColumn<Row>[]): string {
  return columns.map(({ title }) => quote(title)).join(',') + lineEnd;
}

/** Formats rows according to RFC 4180. */
export function formatLines<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => formatCell(column, row)).join(',') + lineEnd).join('');
}

function formatCell<Row>({ value, isNumber }: CsvColumn<Row>, row: Row): string {
  const text = value(row);
  if (text === null) return '';
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(text) ? text : quote(escapeFormula(text));
}

/**
 * Characters that start a formula in a spreadsheet, or that a spreadsheet may drop before a formula (OWASP:
 * CSV injection).
 */
const formulaStart = /[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]/u;
/**
 * Characters that a spreadsheet may drop at the start of a cell: space, control and format characters, and
 * quotes.
 */
const ignorable = /[\p{C}\p{Z}"']/u;
const formulaPattern = new RegExp(`^${ignorable.source}*${formulaStart.source}`, 'u');
/** Characters at which some parsers start a new cell or row, even within quotes. */
const separator = /[,;|\t\r\n]/;

/**
 * Prepends an apostrophe wherever a cell may start that a spreadsheet would run as a formula. Otherwise a
 * customer's name could read other cells or call a server. Scans backwards in one pass, because a regular
 * expression would look ahead repeatedly.
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
