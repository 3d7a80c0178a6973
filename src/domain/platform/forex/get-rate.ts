import { LRUCache } from 'lru-cache';
import type { ForexRate, Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import type { Db } from '../../../kit/db.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { CachedReader } from '../read-cached.ts';
import { crossRate, type Quote } from './cross-rate.ts';
import { compareByAge, crossBase, loadQuotes, mayUseSnapshot } from './quotes.ts';

/** A rate as stored on a charge: units of `to` for one unit of `from`. */
export type Rate = { rate: Decimal; source: string; asOf: Date };

/** The merchant, whose markup and maximum rate age apply, the mode and the time. */
export type RateContext = {
  merchant: Pick<Merchant, 'demo' | 'markup' | 'maxRateAgeDays'>;
  mode: Mode;
  now: Date;
};

/**
 * Returns the merchant's rate between two currencies, computed through the base with exact decimals and including the
 * markup. In live mode, rates that are too old by the feed's own date are rejected. The sandbox and demo merchants may
 * use rates of any age, and the built-in snapshot for currencies without a newer rate.
 * Errors: `rate_unavailable`, `rate_stale`.
 */
export async function getRate(
  reader: CachedReader,
  options: RateContext & { from: CurrencyCode; to: CurrencyCode },
): Promise<Rate> {
  const { from, to, now, merchant } = options;
  if (from === to) return { rate: new Decimal(1), source: 'same currency', asOf: now };
  const quotes = await loadQuotes(reader, options);
  const [fromQuote, toQuote] = [quotes.get(from), quotes.get(to)];
  if (!fromQuote || !toQuote) throw rateUnavailableError(from, to);
  const olderQuote = fromQuote.asOf < toQuote.asOf ? fromQuote : toQuote;
  if (isStale(olderQuote, options)) {
    throw new DomainError(
      'rate_stale',
      `The exchange rate between ${from} and ${to} is too old: it dates from ${olderQuote.asOf.toISOString().slice(0, 10)}`,
    );
  }
  const rate = cachedCrossRate(fromQuote, toQuote, merchant.markup);
  if (rate.isZero()) throw rateUnavailableError(from, to);
  return { rate, source: describeSource([fromQuote, toQuote], merchant.markup), asOf: olderQuote.asOf };
}

/**
 * Cached, because a division with 320 digits takes longer than all other computations of a charge's amounts.
 */
const crossRates = new LRUCache<string, Decimal>({ max: 1_000 });

function cachedCrossRate(from: Quote, to: Quote, markup: Decimal): Decimal {
  const key = [from.rate, from.baseRate, to.rate, to.baseRate, markup].join(' ');
  const rate = crossRates.get(key) ?? crossRate(from, to, markup);
  crossRates.set(key, rate);
  return rate;
}

/**
 * Returns whether a quote is older than the merchant allows, by the feed's own date. Always false in the
 * sandbox and for demo merchants.
 */
export function isStale({ asOf }: Quote, { merchant, mode, now }: RateContext): boolean {
  if (mayUseSnapshot({ merchant, mode })) return false;
  return now.getTime() - asOf.getTime() > merchant.maxRateAgeDays * dayMs;
}

function describeSource(quotes: Quote[], markup: Decimal): string {
  const sources = new Set(quotes.filter((quote) => quote.currency !== crossBase).map(({ source }) => source));
  const markupText = markup.isZero() ? [] : [`markup ${markup.toFixed()}`];
  return [...sources, ...markupText].join(' + ');
}

function rateUnavailableError(from: CurrencyCode, to: CurrencyCode): DomainError {
  return new DomainError(
    'rate_unavailable',
    `No exchange rate is available between ${from} and ${to}; ask the operator to set one up, or use ${to} for the price`,
  );
}

/** `isApplicable` marks the rate that applies to its currency in live mode. */
export type ListedRate = ForexRate & { isApplicable: boolean };

/** Returns all stored rates by currency; of each currency, the rate that applies comes first. */
export async function listRates(db: Pick<Db, 'prisma'>): Promise<ListedRate[]> {
  const rows = await db.prisma.forexRate.findMany({ where: { base: crossBase } });
  rows.sort((a, b) => (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : compareByAge(b, a)));
  return rows.map((row, i) => ({ ...row, isApplicable: rows[i - 1]?.currency !== row.currency }));
}
