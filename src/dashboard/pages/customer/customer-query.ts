import { pageInfoFields } from '../../components/use-cursor.ts';
import { userErrorFields } from '../../graphql/errors.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { chargeRowFields } from '../charge/charge-row.ts';
import { refundRowFields } from '../refund/refund-row.ts';
import { subscriptionRowFields } from '../subscription/subscription-row.ts';

const customerRowFields = graphql(`
  fragment CustomerRow on Customer {
    id
    email
    phone
    firstName
    lastName
    note
    createdAt
  }
`);

export type CustomerRow = ResultOf<typeof customerRowFields>;

export const customersQuery = graphql(
  `
    query Customers(
      $first: Int
      $after: String
      $last: Int
      $before: String
      $reverse: Boolean
    ) {
      customers(
        filter: { isIdentified: true }
        first: $first
        after: $after
        last: $last
        before: $before
        reverse: $reverse
      ) {
        totalCount
        nodes {
          ...CustomerRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [customerRowFields, pageInfoFields],
);

export const customerSearchQuery = graphql(
  `
    query CustomerSearch($text: String!) {
      search(text: $text, types: [customer], limit: 20) {
        customers {
          ...CustomerRow
        }
      }
    }
  `,
  [customerRowFields],
);

export const customerQuery = graphql(
  `
    query Customer($id: ID!) {
      customer(id: $id) {
        ...CustomerRow
        totals {
          currency
          chargeCount
          paidAmount
          refundedAmount
        }
        recentCharges {
          ...ChargeRow
        }
        recentRefunds {
          ...RefundRow
        }
        recentSubscriptions {
          ...SubscriptionRow
        }
      }
    }
  `,
  [customerRowFields, chargeRowFields, refundRowFields, subscriptionRowFields],
);

export type CustomerPageData = NonNullable<ResultOf<typeof customerQuery>['customer']>;

export const updateCustomerNoteMutation = graphql(
  `
    mutation UpdateCustomerNote($input: UpdateCustomerNoteInput!) {
      updateCustomerNote(input: $input) {
        __typename
        ... on UpdateCustomerNoteSuccess {
          customer {
            id
            note
          }
        }
        ...UserErrorFields
      }
    }
  `,
  [userErrorFields],
);
