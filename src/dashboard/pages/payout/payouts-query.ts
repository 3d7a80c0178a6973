import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of the refunds to pay shows; where the money goes only to those who may refund. */
const payoutRowFields = graphql(`
  fragment PayoutRow on Refund {
    id
    status
    customerAmount
    customerCurrency
    payoutReference
    payoutExportedAt
    payoutDetails @include(if: $mayRefund) {
      bank
      account
      holder
    }
    payingAccount {
      id
      bank
      account
    }
    charge {
      id
      email
      phone
      firstName
      lastName
    }
  }
`);

export type PayoutRow = ResultOf<typeof payoutRowFields>;

export const payoutsQuery = graphql(
  `
    query RefundPayouts(
      $filter: RefundPayoutFilter
      $mayRefund: Boolean!
      $first: Int
      $after: String
      $last: Int
      $before: String
    ) {
      refundPayouts(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        nodes {
          ...PayoutRow
        }
        pageInfo {
          ...PageInfo
        }
      }
    }
  `,
  [payoutRowFields, pageInfoFields],
);
