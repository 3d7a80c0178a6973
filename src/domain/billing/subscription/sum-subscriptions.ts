import type { PeriodUnit } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { Decimal } from '../../../kit/decimal.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { Money } from '../../../kit/money.ts';
import type { StaleReads } from '../../../kit/stale-reads.ts';
import { applyTax } from '../subscription-plan/tax.ts';
import { addDays } from './calendar.ts';

export type SubscriptionSummary = {
  active: number;
  /** The number of started subscriptions that are paused, after a missed payment or by the merchant. */
  paused: number;
  /**
   * The number of active subscriptions with a payment due within seven days, or overdue within the grace
   * period.
   */
  dueSoon: number;
  /**
   * The revenue of an average month from active subscriptions with further payments, without tax: one sum per
   * currency.
   */
  monthlyRevenue: Money[];
};

const soonDays = 7;
/** The Gregorian calendar repeats after 400 years: 146,097 days in 4,800 months. */
const daysPerMonth = new Decimal(146_097).div(4_800);

type PlanSummaryRow = {
  currency: string;
  amount: bigint;
  taxRate: Decimal | null;
  taxInclusive: boolean;
  period: PeriodUnit;
  count: number;
  active: number;
  paused: number;
  dueSoon: number;
  recurring: number;
};

/**
 * Counts the merchant's subscriptions and sums their revenue with one statement. Revenue is rounded once per
 * currency.
 */
export async function sumSubscriptions(
  { stale }: StaleReads,
  { merchantId, mode, now }: MerchantScope & { now: MerchantTime },
): Promise<SubscriptionSummary> {
  const rows = await stale.$queryRaw<PlanSummaryRow[]>`
    SELECT plan.currency, counts.amount, plan.tax_rate AS "taxRate", plan.tax_inclusive AS "taxInclusive",
      plan.period::text, plan.count, counts.active, counts.paused, counts."dueSoon", counts.recurring
    FROM (
      SELECT plan_id, amount, count(*) FILTER (WHERE status = 'active')::int AS active,
        count(*) FILTER (WHERE status = 'inactive' AND active_until IS NOT NULL)::int AS paused,
        count(*) FILTER (WHERE status = 'active' AND next_payment < ${addDays(now, soonDays)})::int AS "dueSoon",
        count(*) FILTER (WHERE status = 'active' AND next_payment IS NOT NULL)::int AS recurring
      FROM subscription WHERE merchant_id = ${merchantId} AND mode = ${mode}::mode GROUP BY plan_id, amount
    ) AS counts JOIN subscription_plan AS plan ON plan.id = counts.plan_id
    ORDER BY plan.currency`;
  const sumCounts = (name: 'active' | 'paused' | 'dueSoon') => rows.reduce((sum, row) => sum + row[name], 0);
  const byCurrency = Map.groupBy(
    rows.filter(({ recurring }) => recurring > 0),
    ({ currency }) => currency,
  );
  return {
    active: sumCounts('active'),
    paused: sumCounts('paused'),
    dueSoon: sumCounts('dueSoon'),
    monthlyRevenue: [...byCurrency].map(([currency, plans]) => ({
      currency,
      minor: BigInt(Decimal.sum(...plans.map(toMonthlyRevenue)).toFixed(0, Decimal.ROUND_HALF_UP)),
    })),
  };
}

/** Returns the average monthly revenue of one plan and price in minor units, without tax. */
function toMonthlyRevenue(row: PlanSummaryRow): Decimal {
  const { amount, recurring, period, count } = row;
  const perPeriod = new Decimal(String(applyTax(amount, { ...row, taxName: null }).net))
    .times(recurring)
    .div(count);
  if (period === 'months') return perPeriod;
  return period === 'years' ? perPeriod.div(12) : perPeriod.times(daysPerMonth);
}
