import type { CurrencyCode } from '../../../kit/currency.ts';
import type { CachedReader } from '../read-cached.ts';
import { isStale, type RateTerms } from './get-rate.ts';
import { loadQuotes } from './quotes.ts';

/** Returns the currencies with a usable rate, alphabetically. Each of them converts into every other. */
export async function findCurrencies(reader: CachedReader, terms: RateTerms): Promise<CurrencyCode[]> {
  const quotes = await loadQuotes(reader, terms);
  const usable = [...quotes.values()].filter((quote) => !isStale(quote, terms));
  // The base alone converts into no other currency.
  return usable.length < 2 ? [] : usable.map(({ currency }) => currency).sort();
}
