import { formatCount } from '../../format/count.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of subscriptions shows. */
export const subscriptionRowFields = graphql(`
  fragment SubscriptionRow on SubscriptionContract {
    id
    status
    email
    phone
    firstName
    lastName
    numPaymentsComplete
    nextPayment
    activeUntil
    createdAt
    plan {
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

/** Subscriptions as they change; what to read again. */
export const subscriptionsUpdated = graphql(`
  subscription SubscriptionsUpdated {
    subscriptionsUpdated {
      id
    }
  }
`);

/** The look of a status: one that waits for a payment has begun, or not. */
export function getStatusBadge({
  status,
  activeUntil,
}: Pick<SubscriptionRow, 'status' | 'activeUntil'>): string {
  if (status !== 'inactive') return status;
  return activeUntil === null ? 'subscription_unstarted' : 'subscription_paused';
}

/** `3 of 12`. */
export function formatProgress({ numPaymentsComplete, plan }: SubscriptionRow): string {
  const completed = formatCount(numPaymentsComplete);
  return plan.numPayments === null ? completed : `${completed} of ${formatCount(plan.numPayments)}`;
}
