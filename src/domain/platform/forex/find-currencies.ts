import type { CurrencyCode } from '../../../kit/currency.ts';
import type { CachedReader } from '../read-cached.ts';
import { isStale, type RateContext } from './get-rate.ts';
import { loadQuotes } from './quotes.ts';

/**
 * Returns the currencies with a usable rate, in alphabetical order. An amount in any of them can be converted
 * to any other.
 */
export async function findCurrencies(reader: CachedReader, context: RateContext): Promise<CurrencyCode[]> {
  const quotes = await loadQuotes(reader, context);
  const usableQuotes = [...quotes.values()].filter((quote) => !isStale(quote, context));
  // With only the base, there is no other currency to convert to.
  return usableQuotes.length < 2 ? [] : usableQuotes.map(({ currency }) => currency).sort();
}
