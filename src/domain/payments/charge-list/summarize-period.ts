import type { Merchant } from '../../../../prisma/client/client.ts';
import { convert } from '../../../kit/convert.ts';
import { type CurrencyCode, isCurrencyCode } from '../../../kit/currency.ts';
import { getDayStart } from '../../../kit/day-start.ts';
import { Decimal } from '../../../kit/decimal.ts';
import { dayMs } from '../../../kit/duration.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { checkTimeZone, toLocalDate } from '../../../kit/time-zone.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { getRate, type Rate } from '../../platform/forex/get-rate.ts';
import type { CachedReader } from '../../platform/read-cached.ts';
import { findReportingCurrency } from './find-reporting-currency.ts';
import { readSpanMetrics, type SpanMetrics } from './read-span-metrics.ts';
import { type CollectedDay, type CollectedSum, getLastDates, sumByStarts } from './sum-collected.ts';

/** The metrics of a period. Amounts are in the reporting currency. */
export type PeriodMetrics = Omit<SpanMetrics, 'refunds'> & {
  collected: Money;
  collectedCount: number;
  refunded: Money;
  refundedCount: number;
};

export type MethodMetrics = {
  method: MethodCode;
  /** The amount that customers paid, in the currency of the method. */
  collected: CollectedSum;
  /** The collected amount in the reporting currency; null if there is no rate. */
  converted: Money | null;
  /** The amount that the method collected in the previous period, in its own currency. */
  previous: Money;
  /** The amounts that the method collected on each day of the period, in its own currency. */
  days: Money[];
};

export type PeriodSummary = {
  currency: CurrencyCode;
  /** Today's rates, by which amounts in other currencies were converted. */
  rates: { currency: CurrencyCode; rate: Rate }[];
  /** The currencies without a rate, whose amounts are missing from all converted sums. */
  unconverted: CurrencyCode[];
  current: PeriodMetrics;
  previous: PeriodMetrics;
  /** The methods that collected anything in the period, the largest converted amount first. */
  methods: MethodMetrics[];
};

/** The lengths of a period, in days. */
const periodDays = [1, 7, 30, 90] as const;

/**
 * Summarizes the last `days` days in the time zone, including today, and the same number of days before. The default of
 * `currency` is that of `findReportingCurrency`. Amounts in other currencies are converted by today's rates, without
 * markup, so that a change of rates does not look like a change of business. Throws `invalid_request` for unknown days,
 * time zones and currencies.
 */
export async function summarizePeriod(
  reads: StaleReads,
  options: {
    merchant: Merchant;
    mode: MerchantScope['mode'];
    rates: CachedReader;
    days: number;
    timeZone: string;
    currency?: string | undefined;
    now: Date;
  },
): Promise<PeriodSummary> {
  const { merchant, mode, days, now } = options;
  const scope = { merchantId: merchant.id, mode };
  if (!periodDays.some((choice) => choice === days))
    throw invalidInputError('/days', `must be one of ${periodDays.join(', ')}`);
  const timeZone = checkTimeZone(options.timeZone);
  const dates = getLastDates(toLocalDate(now, timeZone), 2 * days);
  const starts = dates.map((date) => getDayStart(date, timeZone));
  const start = starts[days]!;
  const previousEnd = getPreviousEnd(now, { days, start, lastDay: starts[days - 1]! });
  const [allSums, previousSpan, span] = await Promise.all([
    sumByStarts(reads, { ...scope, starts: starts.toSpliced(days, 0, previousEnd) }),
    readSpanMetrics(reads, scope, { from: starts[0]!, before: previousEnd }),
    readSpanMetrics(reads, scope, { from: start, before: new Date(now.getTime() + 1) }),
  ]);
  const sums = allSums.toSpliced(days, 1);
  const [previousDays, currentDays] = [sums.slice(0, days), sums.slice(days)];
  if (options.currency !== undefined && !isCurrencyCode(options.currency))
    throw invalidInputError('/currency', 'must be an ISO 4217 code');
  const currency = options.currency ?? (await findReportingCurrency(reads, { merchant, mode }));
  const currencies = new Set(
    [...sums.flat(), ...previousSpan.refunds, ...span.refunds].map(({ money }) => money.currency),
  );
  const rates = await readRates(options.rates, { ...options, currencies, currency });
  const conversion = { currency, rates };
  return {
    currency,
    rates: [...rates].flatMap(([from, rate]) => (from === currency ? [] : { currency: from, rate })),
    unconverted: [...currencies].filter((from) => !rates.has(from)),
    current: toMetrics(sumByMethod(currentDays.flat()), span, conversion),
    previous: toMetrics(sumByMethod(previousDays.flat()), previousSpan, conversion),
    methods: listMethods(currentDays, previousDays, conversion),
  };
}

type Conversion = { currency: CurrencyCode; rates: ReadonlyMap<CurrencyCode, Rate> };

function toMetrics(
  collected: CollectedDay['amounts'],
  { refunds, ...span }: SpanMetrics,
  conversion: Conversion,
): PeriodMetrics {
  return {
    ...span,
    collected: sumConverted(collected, conversion),
    collectedCount: sumCounts(collected),
    refunded: sumConverted(refunds, conversion),
    refundedCount: sumCounts(refunds),
  };
}

function listMethods(
  currentDays: readonly CollectedDay['amounts'][],
  previousDays: readonly CollectedDay['amounts'][],
  { currency, rates }: Conversion,
): MethodMetrics[] {
  const methods = sumByMethod(currentDays.flat()).map(({ method, ...collected }): MethodMetrics => {
    const sumSame = (amounts: CollectedDay['amounts']) => ({
      minor: amounts
        .filter((amount) => amount.method === method && amount.money.currency === collected.money.currency)
        .reduce((sum, { money }) => sum + money.minor, 0n),
      currency: collected.money.currency,
    });
    const rate = rates.get(collected.money.currency);
    return {
      method,
      collected,
      converted: rate ? convert(collected.money, rate.rate, currency) : null,
      previous: sumSame(previousDays.flat()),
      days: currentDays.map(sumSame),
    };
  });
  return methods.sort((a, b) => Number((b.converted?.minor ?? -1n) - (a.converted?.minor ?? -1n)));
}

/**
 * Returns the exclusive end of the previous period, which is at the same time of day, so that both periods
 * have the same length.
 */
function getPreviousEnd(
  now: Date,
  { days, start, lastDay }: { days: number; start: Date; lastDay: Date },
): Date {
  const end = now.getTime() - days * dayMs;
  return new Date(Math.min(Math.max(end, lastDay.getTime()), start.getTime()));
}

function sumByMethod(amounts: CollectedDay['amounts']): CollectedDay['amounts'] {
  const groups = Map.groupBy(amounts, ({ method, money }) => `${method} ${money.currency}`);
  return [...groups.values()].map((group) => ({
    method: group[0]!.method,
    money: {
      minor: group.reduce((sum, { money }) => sum + money.minor, 0n),
      currency: group[0]!.money.currency,
    },
    charges: sumCounts(group),
  }));
}

function sumCounts(sums: readonly CollectedSum[]): number {
  return sums.reduce((total, { charges }) => total + charges, 0);
}

/** Converts each sum and adds the results, so that the total is exactly the sum of the amounts that are shown. */
function sumConverted(sums: readonly CollectedSum[], { currency, rates }: Conversion): Money {
  const minor = sums.reduce((total, { money }) => {
    const rate = rates.get(money.currency);
    return rate ? total + convert(money, rate.rate, currency).minor : total;
  }, 0n);
  return { minor, currency };
}

/** Returns the rate of each currency that has one. */
async function readRates(
  reader: CachedReader,
  options: {
    merchant: Merchant;
    mode: MerchantScope['mode'];
    now: Date;
    currencies: ReadonlySet<CurrencyCode>;
    currency: CurrencyCode;
  },
): Promise<Map<CurrencyCode, Rate>> {
  const { mode, now, currencies, currency } = options;
  const merchant = { ...options.merchant, markup: new Decimal(0) };
  const rates = new Map<CurrencyCode, Rate>();
  for (const from of currencies) {
    try {
      rates.set(from, await getRate(reader, { merchant, mode, now, from, to: currency }));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return rates;
}
