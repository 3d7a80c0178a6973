import { LRUCache } from 'lru-cache';
import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { CachedReader } from '../read-cached.ts';
import { crossRate, type Quote } from './cross-rate.ts';
import { crossBase, loadQuotes, mayUseSnapshot } from './quotes.ts';

/** A rate as stored on a charge: units of `to` for one unit of `from`. */
export type Rate = { rate: Decimal; source: string; asOf: Date };

/** The merchant's markup and maximum rate age apply. */
export type RateTerms = {
  merchant: Pick<Merchant, 'demo' | 'markup' | 'maxRateAgeDays'>;
  mode: Mode;
  now: Date;
};

/**
 * Returns the merchant's rate between two currencies, computed through the base with exact decimals and
 * including the markup. Sandbox and demo fall back to the shipped snapshot and ignore the age of rates. Live
 * never uses the snapshot and rejects rates that are too old by the feed's own date. Errors:
 * `rate_unavailable`, `rate_stale`.
 */
export async function getRate(
  reader: CachedReader,
  options: RateTerms & { from: CurrencyCode; to: CurrencyCode },
): Promise<Rate> {
  const { from, to, now, merchant } = options;
  if (from === to) return { rate: new Decimal(1), source: 'same currency', asOf: now };
  const quotes = await loadQuotes(reader, options);
  const [fromQuote, toQuote] = [quotes.get(from), quotes.get(to)];
  if (!fromQuote || !toQuote) throw rateUnavailable(from, to);
  const older = fromQuote.asOf < toQuote.asOf ? fromQuote : toQuote;
  if (isStale(older, options)) {
    throw new DomainError(
      'rate_stale',
      `The exchange rate between ${from} and ${to} is too old: it dates from ${older.asOf.toISOString().slice(0, 10)}`,
    );
  }
  const rate = cachedCrossRate(fromQuote, toQuote, merchant.markup);
  if (rate.isZero()) throw rateUnavailable(from, to);
  return { rate, source: describeSource([fromQuote, toQuote], merchant.markup), asOf: older.asOf };
}

/** Cached, because a division with 320 digits costs more than the rest of a charge's amounts. */
const crossRates = new LRUCache<string, Decimal>({ max: 1_000 });

function cachedCrossRate(from: Quote, to: Quote, markup: Decimal): Decimal {
  const key = [from.rate, from.baseRate, to.rate, to.baseRate, markup].join(' ');
  const rate = crossRates.get(key) ?? crossRate(from, to, markup);
  crossRates.set(key, rate);
  return rate;
}

/**
 * Whether a quote is older than the merchant's limit, by its feed's own date. Always false in sandbox and demo.
 */
export function isStale({ asOf }: Quote, { merchant, mode, now }: RateTerms): boolean {
  if (mayUseSnapshot({ merchant, mode })) return false;
  return now.getTime() - asOf.getTime() > merchant.maxRateAgeDays * dayMs;
}

function describeSource(quotes: Quote[], markup: Decimal): string {
  const sources = new Set(quotes.filter((quote) => quote.currency !== crossBase).map(({ source }) => source));
  const addition = markup.isZero() ? [] : [`markup ${markup.toFixed()}`];
  return [...sources, ...addition].join(' + ');
}

function rateUnavailable(from: CurrencyCode, to: CurrencyCode): DomainError {
  return new DomainError('rate_unavailable', `No exchange rate is available between ${from} and ${to}`);
}
