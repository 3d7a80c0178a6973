import { getMinorDigits, isCurrencyCode, zeroDecimalCurrencies } from './currency.ts';

/**
 * Ambiguous or invalid input in a field. The message explains the error, and names the alternatives if the
 * input is ambiguous.
 */
export class FieldInputError extends Error {
  /** The path of the field in the input of the mutation. */
  readonly path: string;

  constructor(message: string, path = '') {
    super(message);
    this.path = path;
  }
}

/** The meaning of a separator before the last three digits, as in `1.500` or `1,500`. */
type SeparatorMeaning = 'thousands' | 'decimals' | 'unclear';

/**
 * Converts an amount with thousands and decimal separators to API format. Text that is not a number is
 * returned trimmed, so that the API reports it. Throws `FieldInputError` if the amount is ambiguous.
 */
export function parseAmount(text: string, currency: string, locale?: string): string {
  const decimalPlaces = getDecimalPlaces(currency);
  return parseNumber(text, (separator, parts) => {
    const meaning = interpretSeparator(separator, decimalPlaces, locale);
    if (meaning === 'unclear') throw new FieldInputError(describeAmbiguity(parts, currency, decimalPlaces));
    return meaning;
  });
}

/**
 * Parses a rate with any number of decimals. Throws `FieldInputError` for a comma before three digits,
 * because it could be either separator.
 */
export function parseRate(text: string): string {
  return parseNumber(text, (separator, { whole, rest }) => {
    if (separator === ',')
      throw new FieldInputError(`Ambiguous: did you mean ${whole}${rest} or ${whole}.${rest}?`);
    return 'decimals';
  });
}

/**
 * Parses a whole number of at most 15 digits with optional thousands separators. Throws `FieldInputError` for any other
 * text.
 */
export function parseInteger(text: string): number {
  const plain = parseNumber(text, () => 'thousands');
  if (/^\d{1,15}$/.test(plain)) return Number(plain);
  throw new FieldInputError(`${text.trim()} is not a whole number`);
}

/** Adds the field's path to a `FieldInputError` of `read`. `prefix` distinguishes similar fields in the message. */
export function withFieldPath<Value>(path: string, read: () => Value, prefix = ''): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof FieldInputError ? new FieldInputError(prefix + error.message, path) : error;
  }
}

type NumberParts = { whole: string; rest: string };

/** Separators that are only used between thousands. */
const groupSeparators = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g;

/**
 * Returns a number in API format. Calls `interpret` only if the text has a single separator that could be for
 * thousands or decimals: one before the last three digits, as in `1.500`.
 */
function parseNumber(
  text: string,
  interpret: (separator: string, parts: NumberParts) => SeparatorMeaning,
): string {
  const normalized = text.trim().replace(groupSeparators, '');
  const separators: string[] = normalized.match(/[.,]/g) ?? [];
  const separator = separators.at(-1);
  if (separator === undefined || !/^-?\d[\d.,]*\d$/.test(normalized)) return normalized;
  const position = normalized.lastIndexOf(separator);
  const [whole, rest] = [normalized.slice(0, position), normalized.slice(position + 1)];
  const otherSeparator = separator === '.' ? ',' : '.';
  if (separators.includes(otherSeparator))
    return isGrouped(whole, otherSeparator) ? `${removeSeparators(whole)}.${rest}` : normalized;
  if (separators.length > 1)
    return isGrouped(normalized, separator) ? removeSeparators(normalized) : normalized;
  const isThousands =
    isGrouped(normalized, separator) && interpret(separator, { whole, rest }) === 'thousands';
  return isThousands ? whole + rest : `${whole}.${rest}`;
}

/** Returns whether the separator groups digits by threes, or, as in India, by twos before the last three. */
function isGrouped(text: string, separator: string): boolean {
  const groups = text.replaceAll(separator, ' ');
  return /^-?[1-9]\d{0,2}( \d{3})+$/.test(groups) || /^-?[1-9]\d?( \d{2})* \d{3}$/.test(groups);
}

function removeSeparators(text: string): string {
  return text.replaceAll(/[.,]/g, '');
}

function interpretSeparator(
  separator: string,
  decimalPlaces: number,
  locale: string | undefined,
): SeparatorMeaning {
  if (decimalPlaces === 0) return 'thousands';
  // The form fields show amounts in these currencies with a decimal point.
  if (decimalPlaces === 3 && separator === '.') return 'decimals';
  const localeSeparators = getLocaleSeparators(locale);
  if (separator === localeSeparators.thousands) return 'thousands';
  return decimalPlaces === 3 && separator === localeSeparators.decimals ? 'decimals' : 'unclear';
}

type LocaleSeparators = { thousands: string | undefined; decimals: string | undefined };

/** Cached, because a search parses an amount for every currency, and creating a number format is slow. */
const separatorsByLocale = new Map<string | undefined, LocaleSeparators>();

/** Returns the separators of the reader's locale. */
function getLocaleSeparators(locale: string | undefined): LocaleSeparators {
  const separators = separatorsByLocale.get(locale) ?? findLocaleSeparators(locale);
  separatorsByLocale.set(locale, separators);
  return separators;
}

function findLocaleSeparators(locale: string | undefined): LocaleSeparators {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1_234_567);
  const findPart = (type: string) => parts.find((part) => part.type === type)?.value;
  return { thousands: findPart('group'), decimals: findPart('decimal') };
}

function getDecimalPlaces(currency: string): number {
  if (zeroDecimalCurrencies.has(currency)) return 0;
  return isCurrencyCode(currency) ? getMinorDigits(currency) : 2;
}

function describeAmbiguity({ whole, rest }: NumberParts, currency: string, decimalPlaces: number): string {
  const large = `${whole}${rest}.${'0'.repeat(decimalPlaces)}`;
  const canBeDecimals = /^0*$/.test(rest.slice(decimalPlaces));
  return canBeDecimals
    ? `Ambiguous: did you mean ${large} or ${whole}.${rest.slice(0, decimalPlaces)}?`
    : `Did you mean ${large}? ${currency} has ${decimalPlaces} decimal places`;
}
