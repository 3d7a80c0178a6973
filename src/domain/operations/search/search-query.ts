import { hash } from 'node:crypto';
import { isCurrencyCode, listCurrencyCodes } from '../../../kit/currency.ts';
import { idPrefixes } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { decimalToMinor } from '../../../kit/money.ts';
import { FieldInputError, parseAmount } from '../../../kit/typed-number.ts';

export const searchedTypes = ['charge', 'refund', 'transfer', 'customer', 'subscription', 'invoice'] as const;
export type SearchedType = (typeof searchedTypes)[number];

const wordLengthMax = 40;
const punctuation = /[!-/:-@[-`{-~]+/g;

/** The number may have a currency, such as in `HK$1,280.50` or `128.500₫`. */
const amountPattern = /^[A-Za-z]{0,3}\p{Sc}?(\d[\d.,]*)\p{Sc}?$/u;
const currencySymbolPattern = /^(?:Rp|RM|[A-Z]{0,3}\p{Sc})$/u;
/** Locales that group thousands with a comma, and with a dot. */
const amountLocales = ['en', 'id'];

/**
 * Returns the `tsquery` for a text. Every word of the text must match: as the beginning of an indexed word, or as an
 * amount; `mei 128.50` finds Mei's payments of this amount. Alternatively, the text without spaces must be the
 * beginning of one word, because people group references differently. Returns null for a text without two characters,
 * which would find nearly everything.
 */
export function buildSearchQuery(scope: MerchantScope, type: SearchedType, text: string): string | null {
  const words = toWords(text);
  const joined = words
    .map(({ folded }) => folded)
    .join('')
    .replaceAll('.', '')
    .slice(0, wordLengthMax);
  // One Chinese character may be a family name.
  if (joined.length < 2 && !/[^ -~]/.test(joined)) return null;
  const prefix = getScopePrefix(scope, type);
  const conditions = words
    .filter((_, i) => !isCurrencyOfAmount(words, i))
    .map((word) => buildWordCondition(prefix, word));
  return `(${conditions.join(' & ')}) | ${quote(prefix + joined)}:*`;
}

type SearchWord = {
  typed: string;
  folded: string;
  /** The number without its currency; undefined if `typed` is not an amount. */
  amount: string | undefined;
};

/** Folds and splits a text like the functions `fold_search_text` and `to_search_words` of the database. */
function toWords(text: string): SearchWord[] {
  return text
    .normalize('NFKD')
    .split(/\s+/)
    .map((typed) => ({
      typed,
      folded: fold(typed)
        .replace(punctuation, '.')
        .replace(/^\.|\.$/g, '')
        .slice(0, wordLengthMax),
      amount: amountPattern.exec(typed)?.[1],
    }))
    .filter(({ folded }) => folded !== '');
}

function fold(text: string): string {
  const unaccented = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return unaccented.replace(/[đĐ]/g, 'd').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns whether a word is the currency of the amount next to it, such as in `Rp 128.500`, which is not indexed. */
function isCurrencyOfAmount(words: SearchWord[], i: number): boolean {
  const { typed } = words[i]!;
  if (!currencySymbolPattern.test(typed) && !isCurrencyCode(typed)) return false;
  return words[i - 1]?.amount !== undefined || words[i + 1]?.amount !== undefined;
}

function buildWordCondition(prefix: string, { folded, amount }: SearchWord): string {
  const amounts = amount === undefined ? [] : listMinorAmounts(amount);
  const alternatives = [
    `${quote(prefix + folded)}:*`,
    ...amounts.map((minor) => quote(`${prefix}=${minor}`)),
  ];
  return `(${alternatives.join(' | ')})`;
}

/**
 * Returns the index words of the amount in every currency, because the text rarely names one: `128.500` is
 * `idr12850000` and `kwd128500`.
 */
function listMinorAmounts(amount: string): string[] {
  const words = listCurrencyCodes().flatMap((currency) =>
    amountLocales.flatMap((locale) => {
      const decimal = tryParseAmount(amount, currency, locale);
      const minor = decimal === undefined ? undefined : decimalToMinor(decimal, currency);
      return minor === undefined ? [] : [`${currency.toLowerCase()}${minor}`];
    }),
  );
  return [...new Set(words)];
}

/** Returns undefined for an amount that is ambiguous in the locale. */
function tryParseAmount(amount: string, currency: string, locale: string): string | undefined {
  try {
    return parseAmount(amount, currency, locale);
  } catch (error) {
    if (error instanceof FieldInputError) return undefined;
    throw error;
  }
}

/**
 * Returns the prefix that separates the index words of each merchant, mode and type. The query also compares merchant
 * and mode, so a hash collision is harmless.
 */
function getScopePrefix({ merchantId, mode }: MerchantScope, type: SearchedType): string {
  return hash('sha256', `${merchantId}${mode}${idPrefixes[type]}`, 'hex').slice(0, 6);
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
