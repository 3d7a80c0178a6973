import { invalidStatement } from './invalid-statement.ts';

/** The digits of an amount with a decimal point, and its sign. */
export type CsvAmount = { text: string; isNegative: boolean };

/** Longer than any amount with its affixes. A limit is needed, since the patterns take quadratic time. */
const cellMax = 100;

/**
 * Parses an amount such as `1,234.50`, `1.234,50`, `(12.00)`, `12.00-`, `HK$ 12.00`, `12.00 DR` or
 * `¥1,00,000`. Returns undefined for a blank cell or a dash. Digit groups must have two or three digits:
 * `1,5` with a decimal point indicates a wrong mapping, not fifteen.
 */
export function csvAmount(
  cell: string,
  { decimalMark, line }: { decimalMark: '.' | ','; line: number },
): CsvAmount | undefined {
  const invalidAmount = () =>
    invalidStatement(
      line,
      `"${cell.trim().slice(0, 40)}" is not an amount with the decimal mark ${decimalMark}`,
    );
  if (cell.trim().length > cellMax) throw invalidAmount();
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
  const isComplete = (open === undefined) === !after.includes(')') && isAffix(affixes);
  if (decimal === undefined || !isComplete) {
    throw invalidAmount();
  }
  return {
    text: decimal,
    isNegative: open !== undefined || /-/.test(affixes) || /\bD[RB]?\b/i.test(affixes),
  };
}

/** Allows signs, a currency and credit or debit marks around an amount. */
function isAffix(affixes: string): boolean {
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
