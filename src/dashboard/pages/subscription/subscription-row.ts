import { fillText } from '../../../language/fill-text.ts';
import { formatCount } from '../../format/count.ts';
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

/** Returns the badge for a status. `inactive` means unstarted before the first payment, and paused after it. */
export function getStatusBadge({
  status,
  activeUntil,
}: Pick<SubscriptionRow, 'status' | 'activeUntil'>): string {
  if (status !== 'inactive') return status;
  return activeUntil === null ? 'subscription_unstarted' : 'subscription_paused';
}

/** Returns the time of the next payment, or null if the subscription is not active, even if a payment was missed. */
export function getUpcomingPayment({ status, nextPaymentAt }: SubscriptionRow): string | null {
  return status === 'active' ? nextPaymentAt : null;
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
