import { pageInfoFields } from '../../components/use-cursor.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** The fields of a refund payout. Only users with the permission `refund` get the payout details. */
const payoutRowFields = graphql(`
  fragment PayoutRow on Refund {
    id
    status
    customerAmount
    customerCurrency
    payoutReference
    payoutExportedAt
    payoutScheme
    payoutDetails @include(if: $mayRefund) {
      bank
      account
      accountName
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
      sellerName
    }
  }
`);

export type PayoutRow = ResultOf<typeof payoutRowFields>;

export const payoutsQuery = graphql(
  `
    query RefundsAwaitingPayout(
      $filter: RefundsAwaitingPayoutFilter
      $mayRefund: Boolean!
      $first: Int
      $after: String
      $last: Int
      $before: String
    ) {
      refundsAwaitingPayout(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
        totalCount
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
