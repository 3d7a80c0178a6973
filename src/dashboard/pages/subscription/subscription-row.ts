import { formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

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

/** Returns the number of completed payments, such as `3 of 12`. */
export function formatProgress({ numPaymentsComplete, subscriptionPlan }: SubscriptionRow): string {
  const completed = formatCount(numPaymentsComplete);
  return subscriptionPlan.numPayments === null
    ? completed
    : `${completed} of ${formatCount(subscriptionPlan.numPayments)}`;
}
