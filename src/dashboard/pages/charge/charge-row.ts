import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const chargeRowFields = graphql(`
  fragment ChargeRow on Charge {
    id
    status
    method
    email
    phone
    firstName
    lastName
    seller
    merchantAmount
    merchantCurrency
    customerAmount
    customerCurrency
    createdAt
  }
`);

export type ChargeRow = ResultOf<typeof chargeRowFields>;

/** Reports the IDs of changed charges, so that lists can reload. */
export const chargesUpdated = graphql(`
  subscription ChargesUpdated {
    chargesUpdated {
      id
    }
  }
`);
