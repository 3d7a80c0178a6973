import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { chargeRowFields } from '../charge/charge-row.ts';
import { invoiceRowFields } from '../invoice/invoice-row.ts';
import { subscriptionRowFields } from './subscription-row.ts';

export const subscriptionQuery = graphql(
  `
    query SubscriptionDetails($id: ID!) {
      subscription(id: $id) {
        ...SubscriptionRow
        customer {
          id
        }
        method
        locale
        hasOptedOutOfReminders
        notifyPayload
        manageUrl
        endedAt
        termsChanges {
          eventId
          planBefore {
            id
            name
          }
          priceBefore
          planAfter {
            id
            name
          }
          priceAfter
        }
        recentInvoices {
          ...InvoiceRow
        }
        recentCharges {
          ...ChargeRow
        }
        events {
          id
          type
          actor {
            kind
            objectId
            name
          }
          createdAt
          payload {
            ... on SubscriptionEventPayload {
              nextPaymentAt
            }
          }
        }
      }
    }
  `,
  [subscriptionRowFields, invoiceRowFields, chargeRowFields],
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

export const pauseSubscriptionMutation = graphql(
  `
    mutation PauseSubscription($input: PauseSubscriptionInput!) {
      pauseSubscription(input: $input) {
        __typename
        ... on PauseSubscriptionSuccess {
          subscription {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const resumeSubscriptionMutation = graphql(
  `
    mutation ResumeSubscription($input: ResumeSubscriptionInput!) {
      resumeSubscription(input: $input) {
        __typename
        ... on ResumeSubscriptionSuccess {
          subscription {
            id
            status
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const skipPaymentMutation = graphql(
  `
    mutation SkipSubscriptionPayment($input: SkipSubscriptionPaymentInput!) {
      skipSubscriptionPayment(input: $input) {
        __typename
        ... on SkipSubscriptionPaymentSuccess {
          subscription {
            id
            nextPaymentAt
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const replaceLinksMutation = graphql(
  `
    mutation ReplaceSubscriptionLinks($input: ReplaceSubscriptionLinksInput!) {
      replaceSubscriptionLinks(input: $input) {
        __typename
        ... on ReplaceSubscriptionLinksSuccess {
          subscription {
            id
            manageUrl
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

export const changeTermsMutation = graphql(
  `
    mutation ChangeSubscriptionTerms($input: ChangeSubscriptionTermsInput!) {
      changeSubscriptionTerms(input: $input) {
        __typename
        ... on ChangeSubscriptionTermsSuccess {
          subscription {
            id
            price
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);

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
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
