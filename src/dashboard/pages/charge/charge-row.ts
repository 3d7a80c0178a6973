import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of charges shows. */
export const chargeRowFields = graphql(`
  fragment ChargeRow on Charge {
    id
    status
    method
    email
    phone
    firstName
    lastName
    merchantAmount
    merchantCurrency
    customerAmount
    customerCurrency
    createdAt
  }
`);

export type ChargeRow = ResultOf<typeof chargeRowFields>;

/** Charges as they change; what to read again. */
export const chargesUpdated = graphql(`
  subscription ChargesUpdated {
    chargesUpdated {
      id
    }
  }
`);
