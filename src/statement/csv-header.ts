import { isAmountCell, isDateCell } from './csv-guess-values.ts';
import type { CsvRecord } from './csv-records.ts';
import { type HeaderRole, headerWords } from './csv-words.ts';

/** The header is within this number of lines. Above it, banks write account names, numbers and periods. */
export const headerLinesMax = 60;

/**
 * A header row. `roles` maps roles to columns: `references` to all of its columns, every other role to its
 * first one.
 */
export type CsvHeader = {
  index: number;
  score: number;
  roles: Map<HeaderRole, string[]>;
  cells: string[];
};

/** Finds the row with the most known headings, including at least a date and an amount. */
export function findHeader(records: CsvRecord[]): CsvHeader | undefined {
  let best: CsvHeader | undefined;
  for (const [index, { cells, line }] of records.entries()) {
    if (line > headerLinesMax) break;
    const roles = getRoles(cells);
    const score = [...roles.values()].flat().length;
    const isHeader = roles.has('date') && (roles.has('amount') || roles.has('credit'));
    if (isHeader && score > (best?.score ?? 1)) best = { index, score, roles, cells };
  }
  return best;
}

/** Returns the row above the first movement if it is about as wide as the movement and has no date. */
export function findUnknownHeader(records: CsvRecord[]): CsvHeader | undefined {
  const first = records.findIndex(({ cells }) => cells.some(isDateCell) && cells.some(isAmountCell));
  const above = records[first - 1];
  if (!above || first > headerLinesMax || above.cells.some(isDateCell)) return undefined;
  const isHeader =
    above.cells.filter(Boolean).length > 1 && above.cells.length >= records[first]!.cells.length - 1;
  return isHeader
    ? { index: first - 1, score: 0, roles: getRoles(above.cells), cells: above.cells }
    : undefined;
}

/** Returns whether a row is the header of a table of movements, as far as its headings are known. */
export function isMovementHeader(cells: string[]): boolean {
  const roles = getRoles(cells);
  const has = (...names: HeaderRole[]) => names.some((name) => roles.has(name));
  const isHeader = has('date', 'valueDate') && has('amount', 'credit', 'debit');
  return isHeader && !cells.some((cell) => isDateCell(cell) || isAmountCell(cell));
}

function getRoles(cells: string[]): Map<HeaderRole, string[]> {
  const roles = new Map<HeaderRole, string[]>();
  for (const [index, cell] of cells.entries()) {
    const role = getRole(cell);
    if (role === undefined || (role !== 'references' && roles.has(role))) continue;
    roles.set(role, [...(roles.get(role) ?? []), toColumnName(cells, index)]);
  }
  // A column with the heading of a time may contain both date and time.
  if (!roles.has('date') && roles.has('time')) roles.set('date', roles.get('time')!);
  if (roles.get('date')?.[0] === roles.get('time')?.[0]) roles.delete('time');
  return roles;
}

/** Returns the heading of a column, or its number if the heading is empty or not unique. */
export function toColumnName(header: string[], index: number): string {
  const name = header[index] ?? '';
  const folded = foldCell(name);
  const isUnique = header.filter((cell) => foldCell(cell) === folded).length === 1;
  return name === '' || name.length > headingLengthMax || !isUnique ? `#${index + 1}` : name;
}

/** Folds a heading or a value for comparison. */
export function foldCell(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

const roleByHeading = new Map<string, HeaderRole>(
  Object.entries(headerWords).flatMap(([role, words]) =>
    words.map((word) => [foldHeading(word), role as HeaderRole] as const),
  ),
);

/** The maximum length of a heading. A limit is needed, because some patterns take quadratic time. */
const headingLengthMax = 200;

function getRole(cell: string): HeaderRole | undefined {
  if (cell.length > headingLengthMax) return undefined;
  // `Reference 1` and `Transaction Ref3` are parts of the payer's text, even if the heading without its number has
  // another role.
  if (/^(transaction )?(ref|reference) ?\d$/.test(foldCell(cell))) return 'references';
  const exactRole = findHeadingRole(cell) ?? getBracketedRole(cell);
  if (exactRole) return exactRole;
  // The heading may be in two languages, such as `Date 日期` or `วันที่ / Date`.
  const parts = cell.split(/\s*[/|\n]\s*|(?<=[ -~])\s+(?=[^ -~])|(?<=[^ -~])\s+(?=[ -~])/);
  const roles = parts.flatMap((part) => findHeadingRole(part) ?? getBracketedRole(part) ?? []);
  // One column for both, such as `Deposit/Withdrawal`, has signed amounts or names the direction.
  if (roles.includes('credit') && roles.includes('debit')) return 'direction';
  return roles[0];
}

/**
 * Returns the role of a heading with brackets: of the brackets if they distinguish two columns of amounts, such as
 * `Amount (credit)`, otherwise of the text before them.
 */
function getBracketedRole(cell: string): HeaderRole | undefined {
  const [, before = '', inside = ''] =
    /^([^([]*)[([]([^)\]]*)[)\]][^([]*$/.exec(cell.normalize('NFKC').trim()) ?? [];
  const outer = findHeadingRole(before);
  const inner = findHeadingRole(inside);
  const isDirection = inner === 'credit' || inner === 'debit';
  return isDirection && (outer === 'amount' || outer === undefined) ? inner : (outer ?? inner);
}

/** Finds the role of a heading as it is written or, for example for `PostDate`, with its words separated. */
function findHeadingRole(text: string): HeaderRole | undefined {
  const separated = text.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  return roleByHeading.get(foldHeading(text)) ?? roleByHeading.get(foldHeading(separated));
}

function foldHeading(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[.:*_\s]+/g, ' ')
      .replace(/ ?\/ ?/g, '/')
      // For example `Transaction Description 2`.
      .replace(/(?<=\p{L}{3}) ?\d$/u, '')
      .trim()
  );
}
