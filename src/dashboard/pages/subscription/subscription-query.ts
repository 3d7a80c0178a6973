import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { refusalFields } from '../../graphql/refusal.ts';
import { chargeRow } from '../charge/charge-row.ts';
import { invoiceRow } from '../invoice/invoice-row.ts';
import { subscriptionRow } from './subscription-row.ts';

/** All that the page of one subscription shows. */
export const subscriptionQuery = graphql(
  `
    query SubscriptionDetails($id: ID!) {
      subscription(id: $id) {
        ...SubscriptionRow
        method
        language
        remindersOff
        notifyPayload
        manageUrl
        endedAt
        invoices {
          ...InvoiceRow
        }
        charges {
          ...ChargeRow
        }
        events {
          id
          message
          actor
          createdAt
        }
      }
    }
  `,
  [subscriptionRow, invoiceRow, chargeRow],
);

export type SubscriptionDetails = NonNullable<ResultOf<typeof subscriptionQuery>['subscription']>;

export const subscriptionUpdated = graphql(`
  subscription SubscriptionUpdated($id: ID!) {
    subscriptionUpdated(id: $id) {
      id
      updatedAt
    }
  }
`);

export const cancelSubscriptionMutation = graphql(
  `
    mutation CancelSubscription($input: CancelSubscriptionInput!) {
      cancelSubscription(input: $input) {
        __typename
        ... on CancelSubscriptionSuccess {
          subscription {
            id
            status
          }
        }
        ...Refusal
      }
    }
  `,
  [refusalFields],
);
