import { invalidStatementError } from './invalid-statement.ts';

/** `text` has the digits of an amount, with a decimal point if needed, and no sign. */
export type CsvAmount = { text: string; isNegative: boolean };

/**
 * The maximum length of a cell, longer than any amount. A limit is needed, because the patterns take quadratic time.
 */
const cellLengthMax = 100;

/**
 * Parses an amount such as `1,234.50`, `1.234,50`, `(12.00)`, `12.00-`, `HK$ 12.00`, `12.00 DR` or `¥1,00,000`. Returns
 * undefined for a blank cell or a dash. Digit groups must have two or three digits: if the decimal mark is a point,
 * `1,5` indicates a wrong mapping, not fifteen.
 */
export function parseCsvAmount(
  cell: string,
  { decimalMark, line }: { decimalMark: '.' | ','; line: number },
): CsvAmount | undefined {
  const invalidAmountError = () =>
    invalidStatementError(
      line,
      `"${cell.trim().slice(0, 40)}" is not an amount; the decimal mark is "${decimalMark}"`,
    );
  if (cell.trim().length > cellLengthMax) throw invalidAmountError();
  const text = cell
    .normalize('NFKC')
    .replaceAll('−', '-')
    .trim()
    // For example `Rp. 1.000,-`.
    .replace(/^([A-Za-z]{1,4})\.\s*(?=\d)/, '$1 ')
    .replace(/[.,]-$/, '');
  if (/^-*$/.test(text)) return undefined;
  const [, open, before = '', digits = '', after = ''] =
    /^(\()?([^\d.,()]*)([.,]?\d(?:[\d.,' \u2019]*\d)?[.,]?)([^\d]*)$/.exec(text) ?? [];
  const affixes = `${before} ${after.replace(')', ' ')}`;
  const decimal = digits === '' ? undefined : toDecimalText(digits, decimalMark);
  const isValid = (open === undefined) === !after.includes(')') && isAllowedAffix(affixes);
  if (decimal === undefined || !isValid) {
    throw invalidAmountError();
  }
  return {
    text: decimal,
    isNegative: open !== undefined || /-/.test(affixes) || /\bD[RB]?\b/i.test(affixes),
  };
}

/** Returns whether the text around an amount is only a sign, a currency, and credit or debit marks. */
function isAllowedAffix(affixes: string): boolean {
  const marks = affixes
    .replace(/(?<!\p{L})[A-Za-z]{1,4}(?!\p{L})\.?/gu, ' ')
    .replace(/(?<!\p{L})(?:\p{Sc}|[\p{sc=Han}\p{sc=Thai}\p{sc=Hangul}]{1,4})(?!\p{L})/gu, ' ');
  return /^[\s+-]*$/.test(marks) && (marks.match(/[+-]/g)?.length ?? 0) <= 1;
}

function toDecimalText(digits: string, decimalMark: '.' | ','): string | undefined {
  const [whole = '', fraction = '', ...rest] = digits.split(decimalMark);
  if (rest.length > 0 || !/^\d*$/.test(fraction)) return undefined;
  const groupMark = whole.match(/\D/)?.[0];
  if (groupMark !== undefined) {
    const [first = '', ...groups] = whole.split(groupMark);
    const last = groups.pop() ?? '';
    // Indian numbers use groups of two before the last three digits: 12,34,567.
    const isGrouped =
      /^\d{1,3}$/.test(first) && /^\d{3}$/.test(last) && groups.every((group) => /^\d{2,3}$/.test(group));
    if (!isGrouped) return undefined;
  }
  const text = whole.replace(/\D/g, '');
  return fraction === '' ? text : `${text}.${fraction}`;
}
