import { formatAmount, isZero } from '../../format/amount.ts';
import { counted } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The terms of a plan, and how many have taken them. */
export const planRow = graphql(`
  fragment PlanRow on SubscriptionPlan {
    id
    name
    status
    currency
    recurringPayment {
      amount
      period
      count
    }
    initialPayment {
      amount
      period
      count
    }
    numPayments
    sendEmail
    invoiceNotice
    gracePeriod
    orders {
      id
      name
      quantity
      amount
    }
    methods
    namedMethods
    numSubscriptions
    numActive
    createdAt
  }
`);

export type PlanRow = ResultOf<typeof planRow>;
export type Period = PlanRow['recurringPayment']['period'];

const units = { days: 'day', months: 'month', years: 'year' } as const;

/** `3 months`. */
function intervalText(period: Period, count: number): string {
  return new Intl.NumberFormat(undefined, { style: 'unit', unit: units[period], unitDisplay: 'long' }).format(
    count,
  );
}

/** `$100.00 HKD every 3 months`. */
export function recurringText({
  recurringPayment,
  currency,
}: Pick<PlanRow, 'recurringPayment' | 'currency'>): string {
  const { amount, period, count } = recurringPayment;
  const every = count === 1 ? units[period] : intervalText(period, count);
  return `${formatAmount(amount, currency)} every ${every}`;
}

/** How the first payment differs; undefined where it does not. */
export function initialText({ initialPayment, currency }: PlanRow): string | undefined {
  if (!initialPayment) return undefined;
  const { amount, period, count } = initialPayment;
  const paid = amount === null ? 'Regular price' : isZero(amount) ? 'Free' : formatAmount(amount, currency);
  return period === null || count === null
    ? paid
    : `${paid}, next payment after ${intervalText(period, count)}`;
}

export function paymentsText(numPayments: number | null): string {
  if (numPayments === null) return 'Until cancelled';
  return counted(numPayments, 'payment');
}

export function daysText(days: number): string {
  return counted(days, 'day');
}
