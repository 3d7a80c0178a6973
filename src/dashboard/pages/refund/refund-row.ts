import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const refundRowFields = graphql(`
  fragment RefundRow on Refund {
    id
    status
    method
    customerAmount
    customerCurrency
    payoutReference
    payoutExportedAt
    createdAt
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

export type RefundRow = ResultOf<typeof refundRowFields>;

/** Reports the IDs of changed refunds, so that lists can reload. */
export const refundsUpdated = graphql(`
  subscription RefundsUpdated {
    refundsUpdated {
      id
    }
  }
`);
