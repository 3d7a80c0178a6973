import { fillText } from '../../../language/fill-text.ts';
import { formatAmount, isZero } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { language, t } from '../../language/texts.ts';

export const planRowFields = graphql(`
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
    totalAmount
    tax {
      name
      rate
      isInclusive
    }
    numPayments
    sendEmail
    invoiceNoticeDays
    gracePeriodDays
    hasOrderMismatch
    orders {
      orderId
      name
      quantity
      amount
    }
    methods
    selectedMethods
    subscriptionCount
    activeSubscriptionCount
    createdAt
  }
`);

export type PlanRow = ResultOf<typeof planRowFields>;
export type PlanPeriod = PlanRow['recurringPayment']['period'];

const units = { days: 'day', months: 'month', years: 'year' } as const;

const singleIntervals = {
  days: t.subscriptionPlan.everyDay,
  months: t.subscriptionPlan.everyMonth,
  years: t.subscriptionPlan.everyYear,
} as const;

/** Returns an interval, such as `3 months`. */
function formatInterval(period: PlanPeriod, count: number): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: units[period], unitDisplay: 'long' }).format(
    count,
  );
}

/** Returns a price such as `HK$100.00 every 3 months`. */
export function formatRecurringPrice({
  recurringPayment,
  currency,
}: Pick<PlanRow, 'recurringPayment' | 'currency'>): string {
  const { amount, period, count } = recurringPayment;
  const text = count === 1 ? singleIntervals[period] : t.subscriptionPlan.every;
  return fillText(text, { amount: formatAmount(amount, currency), interval: formatInterval(period, count) });
}

export function formatInitialPayment({ initialPayment, currency }: PlanRow): string | undefined {
  if (!initialPayment) return undefined;
  const { amount, period, count } = initialPayment;
  const price =
    amount === null
      ? t.subscriptionPlan.regularPrice
      : isZero(amount)
        ? t.subscriptionPlan.free
        : formatAmount(amount, currency);
  return period === null || count === null
    ? price
    : fillText(t.subscriptionPlan.nextPaymentAfter, { price, period: formatInterval(period, count) });
}

export function formatPaymentCount(numPayments: number | null): string {
  if (numPayments === null) return t.subscriptionPlan.untilCancelled;
  return pluralize(numPayments, t.common.paymentCount);
}

/** Returns the tax and what customers pay, such as `GST 9%, not included: $109.00 with tax`. */
export function formatTax({ tax, totalAmount, currency }: PlanRow): string | undefined {
  if (!tax) return undefined;
  const name = `${tax.name} ${tax.rate}%`;
  if (tax.isInclusive) return fillText(t.subscriptionPlan.includedInThePrices, { name });
  return fillText(t.subscriptionPlan.addedToThePrices, {
    name,
    totalAmount: formatAmount(totalAmount, currency),
  });
}
