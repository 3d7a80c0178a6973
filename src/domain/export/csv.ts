/** One column of a CSV file: its title, and what stands in it for a row. */
export type Column<Row> = {
  title: string;
  /** Null: nothing. */
  value: (row: Row) => string | null;
  /** Made by the service (ids, amounts, times, codes): never what somebody typed. */
  isOurs?: true;
};

/** A column of what the service makes. */
export function ours<Row>(title: string, value: Column<Row>['value']): Column<Row> {
  return { title, value, isOurs: true };
}

/** Some spreadsheets take UTF-8 for what it is only with this in front. */
export const byteOrderMark = '\uFEFF';
const lineEnd = '\r\n';

export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return columns.map(({ title }) => quote(title)).join(',') + lineEnd;
}

/** Lines after RFC 4180. */
export function csvLines<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return rows.map((row) => columns.map((column) => cell(column, row)).join(',') + lineEnd).join('');
}

function cell<Row>({ value, isOurs }: Column<Row>, row: Row): string {
  const text = value(row);
  if (text === null) return '';
  return quote(isOurs ? text : withoutFormula(text));
}

/**
 * A spreadsheet runs what begins with one of these as a formula, so that a customer's name could read other cells or
 * call a server (OWASP: CSV injection). An apostrophe in front makes it text. Where a spreadsheet takes semicolons or
 * tabs for what separates cells, as in much of Europe, quotes do not hold a cell together: one begins behind each.
 */
function withoutFormula(text: string): string {
  const begin = text.length - text.trimStart().length;
  const rest = text.slice(begin).replace(/([;\t\r\n] {0,3})(?=[=+\-@＝＋－＠])/gu, "$1'");
  return `${/^\s*[=+\-@\t\r\n＝＋－＠]/u.test(text) ? "'" : ''}${text.slice(0, begin)}${rest}`;
}

function quote(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
