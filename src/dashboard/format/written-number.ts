import { isCurrencyCode, minorDigits } from '../../kit/currency.ts';
import { wholeCurrencies } from './amount.ts';

/** What was written can be taken in two ways, or in none: what to write instead, to stand beside its field. */
export class Unclear extends Error {
  /** The field's path in the input. */
  readonly path: string;

  constructor(message: string, path = '') {
    super(message);
    this.path = path;
  }
}

/** What a mark before the last three digits is: `1.500`, `1,500`. */
type Meaning = 'thousands' | 'decimals' | 'unclear';

/**
 * An amount as the API takes it, of one as people write it, with their marks between thousands and before decimals. What
 * could be two amounts is refused; what is no number at all is handed on, for the API to say so. Error: `Unclear`.
 */
export function plainDecimal(text: string, currency: string, locale?: string): string {
  const digits = decimalsOf(currency);
  return readNumber(text, (mark, parts) => {
    const meaning = meaningOf(mark, digits, locale);
    if (meaning === 'unclear') throw new Unclear(choiceOf(parts, currency, digits));
    return meaning;
  });
}

/** A rate, which has any number of decimals: only a comma before three digits could be either mark. Error: `Unclear`. */
export function plainRate(text: string): string {
  return readNumber(text, (mark, { whole, rest }) => {
    if (mark === ',') throw new Unclear(`Ambiguous: did you mean ${whole}${rest} or ${whole}.${rest}?`);
    return 'decimals';
  });
}

/** A whole number, with marks between thousands or without. Error: `Unclear`. */
export function plainWhole(text: string): number {
  const plain = readNumber(text, () => 'thousands');
  if (/^\d{1,15}$/.test(plain)) return Number(plain);
  throw new Unclear(`${text.trim()} is not a whole number`);
}

/** Says of what field it is that something cannot be read; `before` tells it from its like. */
export function readAs<Value>(path: string, read: () => Value, before = ''): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Unclear ? new Unclear(before + error.message, path) : error;
  }
}

type Parts = { whole: string; rest: string };

/** Marks that stand between thousands and nowhere else. */
const gaps = /(?<=\d)[\s'’](?=\d{3}(?!\d))/g;

/** `decide` is asked of a single mark before three digits, where the digits before it may be thousands. */
function readNumber(text: string, decide: (mark: string, parts: Parts) => Meaning): string {
  const written = text.trim().replace(gaps, '');
  const marks: string[] = written.match(/[.,]/g) ?? [];
  const mark = marks.at(-1);
  if (mark === undefined || !/^-?\d[\d.,]*\d$/.test(written)) return written;
  const at = written.lastIndexOf(mark);
  const [whole, rest] = [written.slice(0, at), written.slice(at + 1)];
  const other = mark === '.' ? ',' : '.';
  if (marks.includes(other)) return isGrouped(whole, other) ? `${joined(whole)}.${rest}` : written;
  if (marks.length > 1) return isGrouped(written, mark) ? joined(written) : written;
  const isThousands = isGrouped(written, mark) && decide(mark, { whole, rest }) === 'thousands';
  return isThousands ? whole + rest : `${whole}.${rest}`;
}

/** Whether the mark stands between thousands: by threes, or as in India by twos before the last three. */
function isGrouped(text: string, mark: string): boolean {
  const groups = text.replaceAll(mark, ' ');
  return /^-?[1-9]\d{0,2}( \d{3})+$/.test(groups) || /^-?[1-9]\d?( \d{2})* \d{3}$/.test(groups);
}

function joined(text: string): string {
  return text.replaceAll(/[.,]/g, '');
}

function meaningOf(mark: string, digits: number, locale: string | undefined): Meaning {
  if (digits === 0) return 'thousands';
  // As fields show such an amount themselves.
  if (digits === 3 && mark === '.') return 'decimals';
  const own = marksOf(locale);
  if (mark === own.thousands) return 'thousands';
  return digits === 3 && mark === own.decimals ? 'decimals' : 'unclear';
}

/** The marks of the reader's language. */
function marksOf(locale: string | undefined) {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1_234_567);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value;
  return { thousands: mark('group'), decimals: mark('decimal') };
}

function decimalsOf(currency: string): number {
  if (wholeCurrencies.has(currency)) return 0;
  return isCurrencyCode(currency) ? minorDigits(currency) : 2;
}

function choiceOf({ whole, rest }: Parts, currency: string, digits: number): string {
  const large = `${whole}${rest}.${'0'.repeat(digits)}`;
  const isEither = /^0*$/.test(rest.slice(digits));
  return isEither
    ? `Ambiguous: did you mean ${large} or ${whole}.${rest.slice(0, digits)}?`
    : `Did you mean ${large}? ${currency} has ${digits} decimal places`;
}
