import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of refunds shows. */
export const refundRowFields = graphql(`
  fragment RefundRow on Refund {
    id
    status
    method
    customerAmount
    customerCurrency
    payoutReference
    createdAt
    charge {
      id
      email
      phone
      firstName
      lastName
    }
  }
`);

export type RefundRow = ResultOf<typeof refundRowFields>;

/** Refunds as they change; what to read again. */
export const refundsUpdated = graphql(`
  subscription RefundsUpdated {
    refundsUpdated {
      id
    }
  }
`);
