import { dayMs } from '../../../kit/duration.ts';
import { fillText } from '../../../language/fill-text.ts';
import type { BadgeStatus } from '../../components/status-badge.tsx';
import { formatCount, pluralize } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';
import { formatRecurringPrice } from '../subscription-plan/plan-row.ts';

export const subscriptionRowFields = graphql(`
  fragment SubscriptionRow on SubscriptionContract {
    id
    status
    email
    phone
    firstName
    lastName
    numPaymentsComplete
    nextPaymentAt
    pausedAt
    resumesAt
    price
    totalAmount
    hasReversedPayment
    activeUntil
    createdAt
    subscriptionPlan {
      id
      name
      numPayments
      currency
      recurringPayment {
        amount
        period
        count
      }
    }
  }
`);

export type SubscriptionRow = ResultOf<typeof subscriptionRowFields>;

/** Reports the IDs of changed subscriptions, so that lists can reload. */
export const subscriptionsUpdated = graphql(`
  subscription SubscriptionsUpdated {
    subscriptionsUpdated {
      id
    }
  }
`);

/**
 * Returns the badge for a status. `inactive` means unstarted before the first payment. After it, the merchant or a
 * missed payment has paused the subscription.
 */
export function getStatusBadge({
  status,
  activeUntil,
  pausedAt,
}: Pick<SubscriptionRow, 'status' | 'activeUntil' | 'pausedAt'>): BadgeStatus {
  if (status !== 'inactive') return status;
  if (activeUntil === null) return 'subscription_unstarted';
  return pausedAt === null ? 'subscription_unpaid' : 'subscription_paused';
}

/**
 * Returns the time of the next payment, also after a pause that ends on a date. Null after a missed payment, and while
 * it is unknown when the subscription resumes.
 */
export function getUpcomingPayment(subscription: SubscriptionRow): string | null {
  const { status, nextPaymentAt, pausedAt, resumesAt } = subscription;
  if (status === 'active') return nextPaymentAt;
  if (pausedAt === null || resumesAt === null) return null;
  return addPaidTime(resumesAt, getRemainingPaidMs(subscription, pausedAt));
}

/** Returns the paid time that remains at a time, and that the customer gets back after a pause. */
export function getRemainingPaidMs(
  { activeUntil }: Pick<SubscriptionRow, 'activeUntil'>,
  at: string,
): number {
  return activeUntil === null ? 0 : Math.max(0, Date.parse(activeUntil) - Date.parse(at));
}

/** Returns the time of the first payment after a pause. */
export function addPaidTime(resumesAt: string, paidMs: number): string {
  return new Date(Date.parse(resumesAt) + paidMs).toISOString();
}

/** Returns when the first payment is due after a pause without an end, such as `12 days after you resume`. */
export function formatPaymentAfterResuming(paidMs: number): string {
  const days = Math.round(paidMs / dayMs);
  return days === 0 ? t.subscription.whenYouResume : pluralize(days, t.subscription.daysAfterYouResume);
}

/** Formats the amount of the next invoice with its interval, such as `HK$96.00 every month`. */
export function formatPrice({ totalAmount, subscriptionPlan }: SubscriptionRow): string {
  const { recurringPayment, currency } = subscriptionPlan;
  return formatRecurringPrice({ currency, recurringPayment: { ...recurringPayment, amount: totalAmount } });
}

/** Returns the number of completed payments, such as `3 of 12`. */
export function formatProgress({ numPaymentsComplete, subscriptionPlan }: SubscriptionRow): string {
  const completed = formatCount(numPaymentsComplete);
  return subscriptionPlan.numPayments === null
    ? completed
    : fillText(t.subscription.of, { completed, numPayments: formatCount(subscriptionPlan.numPayments) });
}
