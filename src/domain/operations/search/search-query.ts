import { hash } from 'node:crypto';
import { listCurrencyCodes } from '../../../kit/currency.ts';
import { idPrefixes } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { decimalToMinor } from '../../../kit/money.ts';

/** The types of objects that a search finds. */
export const searchedTypes = ['charge', 'refund', 'transfer', 'customer', 'subscription', 'invoice'] as const;
export type SearchedType = (typeof searchedTypes)[number];

const wordLengthMax = 40;
const punctuation = /[!-/:-@[-`{-~]+/g;

/**
 * Returns the query of `search_entry` for a text. Each of its words must be the beginning of a word of the object, or
 * its amount; `mei 128.50` finds Mei's payments of this amount. Alternatively, all words together must be the beginning
 * of one word, because banks and people group the characters of references and names. Returns null for a text without
 * two characters, which would find nearly everything.
 */
export function buildSearchQuery(scope: MerchantScope, type: SearchedType, text: string): string | null {
  const words = toWords(text);
  const joined = words.join('').replaceAll('.', '').slice(0, wordLengthMax);
  // One Chinese character may be a family name.
  if (joined.length < 2 && !/[^ -~]/.test(joined)) return null;
  const prefix = getScopePrefix(scope, type);
  const conditions = words.map((word, i) => buildWordCondition(prefix, word, toAmount(text, i)));
  return `(${conditions.join(' & ')}) | ${quote(prefix + joined)}:*`;
}

/** Folds and splits a text like the functions `fold_search_text` and `to_search_words` of the database. */
function toWords(text: string): string[] {
  return splitText(text)
    .map((word) =>
      fold(word)
        .replace(punctuation, '.')
        .replace(/^\.|\.$/g, '')
        .slice(0, wordLengthMax),
    )
    .filter((word) => word !== '');
}

const splitText = (text: string) =>
  text
    .normalize('NFKD')
    .split(/\s+/)
    .filter((word) => word.replace(punctuation, '') !== '');

function fold(text: string): string {
  const unaccented = text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '');
  return unaccented.replace(/[đĐ]/g, 'd').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns the amount that a text may mean, such as `1280.50` for `$1,280.50`; undefined if it is not an amount. */
function toAmount(text: string, i: number): string | undefined {
  return /^[A-Za-z]{0,3}\p{Sc}?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d{1,3})?)$/u
    .exec(splitText(text)[i] ?? '')?.[1]
    ?.replaceAll(',', '');
}

function buildWordCondition(prefix: string, word: string, amount: string | undefined): string {
  const amounts = amount === undefined ? [] : listMinorAmounts(amount);
  const alternatives = [`${quote(prefix + word)}:*`, ...amounts.map((minor) => quote(`${prefix}=${minor}`))];
  return `(${alternatives.join(' | ')})`;
}

/** Returns the index words of the amount in every currency, because the text rarely names one. */
function listMinorAmounts(amount: string): string[] {
  return listCurrencyCodes().flatMap((currency) => {
    const minor = decimalToMinor(amount, currency);
    return minor === undefined ? [] : [`${currency.toLowerCase()}${minor}`];
  });
}

/** Returns the beginning of all words of the objects of a merchant, mode and type. Collisions are filtered later. */
function getScopePrefix({ merchantId, mode }: MerchantScope, type: SearchedType): string {
  return hash('sha256', `${merchantId}${mode}${idPrefixes[type]}`, 'hex').slice(0, 6);
}

function quote(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
