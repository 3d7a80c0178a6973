import type { Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../../kit/currency.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { ratesTopic } from '../../../live/read-cache.ts';
import { type CachedReader, readCached } from '../read-cached.ts';
import type { Quote } from './cross-rate.ts';

export const crossBase = 'EUR';

/** The latest possible time, so that the base is never the older of two quotes and never stale. */
const endOfTime = new Date(8.64e15);

const baseQuote: Quote = {
  currency: crossBase,
  rate: new Decimal(1),
  baseRate: new Decimal(1),
  source: 'base',
  asOf: endOfTime,
  updatedAt: endOfTime,
};

export function mayUseSnapshot(options: { merchant: Pick<Merchant, 'demo'>; mode: Mode }): boolean {
  return options.mode === 'sandbox' || options.merchant.demo;
}

/**
 * Returns the newest quote of each currency, by the feed's own date, then by fetch time. If there are no
 * rates, the result does not contain the base either.
 */
export async function loadQuotes(
  reader: CachedReader,
  options: { merchant: Pick<Merchant, 'demo'>; mode: Mode },
): Promise<ReadonlyMap<CurrencyCode, Quote>> {
  const rows: readonly Quote[] = await readCached(reader, {
    name: 'rates',
    read: (prisma) => prisma.forexRate.findMany({ where: { base: crossBase } }),
    getTopic: () => ratesTopic,
  });
  const includesSnapshot = mayUseSnapshot(options);
  const cache = includesSnapshot ? newestCaches.withSnapshot : newestCaches.withoutSnapshot;
  const quotes = cache.get(rows) ?? selectNewest(includesSnapshot ? [...snapshot, ...rows] : rows);
  cache.set(rows, quotes);
  return quotes;
}

/**
 * The newest quotes, cached under the array of rows that the read cache returns. A changed rate results in a
 * new array.
 */
const newestCaches = {
  withoutSnapshot: new WeakMap<readonly Quote[], ReadonlyMap<CurrencyCode, Quote>>(),
  withSnapshot: new WeakMap<readonly Quote[], ReadonlyMap<CurrencyCode, Quote>>(),
};

function selectNewest(quotes: readonly Quote[]): ReadonlyMap<CurrencyCode, Quote> {
  if (quotes.length === 0) return new Map();
  return new Map([...quotes.toSorted(compareByAge), baseQuote].map((quote) => [quote.currency, quote]));
}

/** Sorts older quotes first, and quotes with the same date by fetch time. */
export function compareByAge(a: Quote, b: Quote): number {
  return (
    a.asOf.getTime() - b.asOf.getTime() ||
    a.updatedAt.getTime() - b.updatedAt.getTime() ||
    (a.source < b.source ? -1 : 1)
  );
}

const snapshotAsOf = new Date('2025-06-30T14:00:00Z');

/**
 * Units per euro, rounded from rates published around `snapshotAsOf`. They are indicative, so only the sandbox
 * and demo merchants may use them.
 */
const perEuro: Record<string, string> = {
  AUD: '1.7948',
  BRL: '6.4384',
  CAD: '1.6027',
  CHF: '0.9347',
  CNY: '8.3970',
  CZK: '24.746',
  DKK: '7.4609',
  GBP: '0.8555',
  HKD: '9.2001',
  HUF: '399.60',
  IDR: '19021',
  ILS: '3.9480',
  INR: '100.5605',
  JPY: '169.17',
  KRW: '1588.21',
  MXN: '22.0899',
  MYR: '4.9365',
  NOK: '11.8345',
  NZD: '1.9324',
  PHP: '66.024',
  PLN: '4.2423',
  SEK: '11.1465',
  SGD: '1.4941',
  THB: '38.125',
  TRY: '46.5682',
  TWD: '34.35',
  USD: '1.1720',
  VND: '30590',
  ZAR: '20.8411',
};

const snapshot: readonly Quote[] = Object.entries(perEuro).map(([currency, rate]) => ({
  currency,
  rate: new Decimal(rate),
  baseRate: new Decimal(1),
  source: 'snapshot 2025-06-30',
  asOf: snapshotAsOf,
  updatedAt: snapshotAsOf,
}));
