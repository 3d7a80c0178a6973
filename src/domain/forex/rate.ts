import type { Mode } from '../../../prisma/client/client.ts';
import type { CurrencyCode } from '../../kit/currency.ts';
import type { Db, Tx } from '../../kit/db.ts';
import { Decimal } from '../../kit/decimal.ts';
import { DomainError } from '../../kit/errors.ts';
import { snapshot } from './snapshot.ts';

/** A rate as it is frozen on a charge: units of `to` for one unit of `from`. */
export type Rate = { rate: Decimal; source: string; asOf: Date };

/** What one unit of the base buys, by one feed. */
type Quote = { currency: string; base: string; rate: Decimal; source: string; asOf: Date };

/** Rates have at most this many significant digits, rounded half up before anything is multiplied. */
const significantDigits = 10;
/** Older than this, counted from the feed's own date, a rate refuses new live charges. */
const ageLimitMs = 6 * 24 * 3_600_000;
const crossBase = 'EUR';

/**
 * The service's rate between two currencies, crossed through one base with exact decimals. Sandbox and demo fall back
 * to the shipped snapshot; live never does. Errors: `currency_unsupported`, `rate_unavailable`, `rate_stale`.
 */
export async function getRate(
  db: Pick<Db, 'prisma'> | { prisma: Tx },
  options: { from: CurrencyCode; to: CurrencyCode; mode: Mode; demo: boolean; now: Date },
): Promise<Rate> {
  const { from, to, now } = options;
  if (from === to) return { rate: new Decimal(1), source: 'same currency', asOf: now };
  const quotes = await loadQuotes(db, options, [from, to]);
  const [fromQuote, toQuote] = [quotes.get(from), quotes.get(to)];
  if (!fromQuote || !toQuote) {
    throw new DomainError('rate_unavailable', `There is no rate between ${from} and ${to}`);
  }
  const older = fromQuote.asOf < toQuote.asOf ? fromQuote : toQuote;
  if (!mayUseSnapshot(options) && now.getTime() - older.asOf.getTime() > ageLimitMs) {
    throw new DomainError(
      'rate_stale',
      `The rate between ${from} and ${to} dates from ${older.asOf.toISOString().slice(0, 10)}`,
    );
  }
  const rate = new Decimal(toQuote.rate)
    .div(fromQuote.rate)
    .toSignificantDigits(significantDigits, Decimal.ROUND_HALF_UP);
  const sources = new Set([fromQuote, toQuote].filter((q) => q.currency !== crossBase).map((q) => q.source));
  return { rate, source: [...sources].join(' + '), asOf: older.asOf };
}

/** The currencies that have a rate, in alphabetical order. */
export async function findCurrencies(
  db: Pick<Db, 'prisma'>,
  options: { mode: Mode; demo: boolean },
): Promise<CurrencyCode[]> {
  const quotes = await loadQuotes(db, options);
  return [...quotes.keys()].sort();
}

function mayUseSnapshot(options: { mode: Mode; demo: boolean }): boolean {
  return options.mode === 'sandbox' || options.demo;
}

/** The newest quote of each currency against the cross base. */
async function loadQuotes(
  db: Pick<Db, 'prisma'> | { prisma: Tx },
  options: { mode: Mode; demo: boolean },
  currencies?: CurrencyCode[],
): Promise<Map<CurrencyCode, Quote>> {
  const rows: Quote[] = await db.prisma.forexRate.findMany({
    where: { base: crossBase, ...(currencies && { currency: { in: currencies } }) },
    orderBy: { asOf: 'asc' },
  });
  const shipped = mayUseSnapshot(options) ? snapshot : [];
  const base = {
    currency: crossBase,
    base: crossBase,
    rate: new Decimal(1),
    source: 'base',
    asOf: new Date(8.64e15),
  };
  const wanted = [...shipped, ...rows, base].filter((q) => !currencies || currencies.includes(q.currency));
  // A database without a single rate knows no currency at all, not even the base.
  if (rows.length === 0 && shipped.length === 0) return new Map();
  return new Map(wanted.map((quote) => [quote.currency, quote]));
}
