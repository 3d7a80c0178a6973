import { isCurrencyCode } from '../kit/currency.ts';
import { invalidStatementError } from './invalid-statement.ts';

/** `text` has the digits of an amount, with a decimal point if needed, and no sign. */
type CsvAmount = { text: string; isNegative: boolean };

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
  const amount = tryParseCsvAmount(cell, decimalMark);
  if (amount !== null) return amount;
  throw invalidStatementError(
    line,
    `"${cell.trim().slice(0, 40)}" is not an amount; the decimal mark is "${decimalMark}"`,
  );
}

/** Parses an amount like `parseCsvAmount`, but returns null for any other text. */
export function tryParseCsvAmount(cell: string, decimalMark: '.' | ','): CsvAmount | undefined | null {
  if (cell.trim().length > cellLengthMax) return null;
  const text = cell
    .normalize('NFKC')
    .replaceAll('−', '-')
    .trim()
    // Spreadsheets protect text with an apostrophe.
    .replace(/^'(?=\d)/, '')
    // For example `Rp. 1.000,-`.
    .replace(/^([A-Za-z]{1,4})\.\s*(?=\d)/, '$1 ')
    .replace(/[.,]-$/, '')
    // For example `1,00,000.00(Cr)`.
    .replace(/\((cr|dr|db)\.?\)$/i, ' $1');
  if (/^-*$/.test(text)) return undefined;
  const [, open, before = '', digits = '', after = ''] =
    /^(\()?([^\d.,()]*)([.,]?\d(?:[\d.,' \u2019]*\d)?[.,]?)([^\d]*)$/.exec(text) ?? [];
  const suffix = after.replace(')', ' ');
  const decimal = digits === '' ? undefined : toDecimalText(digits, decimalMark);
  const isEnclosed = (open === undefined) === !after.includes(')');
  if (decimal === undefined || !isEnclosed || !areAllowedAffixes(before, suffix)) return null;
  const affixes = `${before} ${suffix}`;
  return {
    text: decimal,
    isNegative: open !== undefined || /-/.test(affixes) || /\bD[RB]?\b/i.test(affixes),
  };
}

/** Abbreviations and names of currencies that banks write beside amounts, in addition to ISO 4217 codes. */
const currencyWords = new Set(
  'a au b baht cn hk nt nz p r rm rp rs s sg tk us vnđ won yen đ'.split(' ').concat(['rmb', 'yuan']),
);
const creditOrDebit = /^(cr|dr|db)$/i;

/**
 * Returns whether the text around the digits is only a sign, a currency, and a credit or debit mark. Other letters, as
 * in `FR-001`, belong to a reference.
 */
function areAllowedAffixes(before: string, after: string): boolean {
  const isCurrency = (word: string) =>
    isCurrencyCode(word.toUpperCase()) || currencyWords.has(word.toLowerCase());
  const stripWords = (text: string, isAllowed: (word: string) => boolean) =>
    text
      .replace(/(?<!\p{L})[A-Za-zđĐ]{1,4}(?!\p{L})\.?/gu, (word) =>
        isAllowed(word.replace('.', '')) ? ' ' : word,
      )
      .replace(/(?<!\p{L})(?:\p{Sc}|[\p{sc=Han}\p{sc=Thai}\p{sc=Hangul}]{1,4})(?!\p{L})/gu, ' ');
  const signs =
    stripWords(before, (word) => isCurrency(word) || creditOrDebit.test(word)) +
    stripWords(after, (word) => isCurrency(word) || creditOrDebit.test(word) || /^[cdk]$/i.test(word));
  return /^[\s+-]*$/.test(signs) && (signs.match(/[+-]/g)?.length ?? 0) <= 1;
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
