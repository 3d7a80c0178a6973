import type { Merchant, Mode } from '../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../kit/currency.ts';
import { Decimal } from '../../kit/decimal.ts';
import { ratesTopic } from '../../live/read-cache.ts';
import { findKept, type Reader } from '../find-kept.ts';
import type { Quote } from './cross-rate.ts';
import { snapshot } from './snapshot.ts';

/** All rates meet in this currency. */
export const crossBase = 'EUR';

/** The last moment there is: of two quotes the base is never the older, nor is it stale. */
const endOfTime = new Date(8.64e15);

const baseQuote: Quote = {
  currency: crossBase,
  rate: new Decimal(1),
  baseRate: new Decimal(1),
  source: 'base',
  asOf: endOfTime,
  fetchedAt: endOfTime,
};

export function mayUseSnapshot(options: { merchant: Pick<Merchant, 'demo'>; mode: Mode }): boolean {
  return options.mode === 'sandbox' || options.merchant.demo;
}

/**
 * The newest quote of each currency, by its feed's own date; of two of one date, the one fetched last. Where there is
 * no rate at all the base is not there either.
 */
export async function loadQuotes(
  reader: Reader,
  options: { merchant: Pick<Merchant, 'demo'>; mode: Mode },
): Promise<ReadonlyMap<CurrencyCode, Quote>> {
  const rows: readonly Quote[] = await findKept(reader, {
    name: 'rates',
    read: (prisma) => prisma.forexRate.findMany({ where: { base: crossBase } }),
    topicOf: () => ratesTopic,
  });
  const isWithSnapshot = mayUseSnapshot(options);
  const known = isWithSnapshot ? newest.withSnapshot : newest.alone;
  const found = known.get(rows) ?? newestOf(isWithSnapshot ? [...snapshot, ...rows] : rows);
  known.set(rows, found);
  return found;
}

/** By the rows they were found in, which are kept until a rate changes. */
const newest = {
  alone: new WeakMap<readonly Quote[], ReadonlyMap<CurrencyCode, Quote>>(),
  withSnapshot: new WeakMap<readonly Quote[], ReadonlyMap<CurrencyCode, Quote>>(),
};

function newestOf(quotes: readonly Quote[]): ReadonlyMap<CurrencyCode, Quote> {
  if (quotes.length === 0) return new Map();
  return new Map([...quotes.toSorted(byAge), baseQuote].map((quote) => [quote.currency, quote]));
}

/** The older first; of two of one date, the one fetched first. */
export function byAge(a: Quote, b: Quote): number {
  return (
    a.asOf.getTime() - b.asOf.getTime() ||
    a.fetchedAt.getTime() - b.fetchedAt.getTime() ||
    (a.source < b.source ? -1 : 1)
  );
}
