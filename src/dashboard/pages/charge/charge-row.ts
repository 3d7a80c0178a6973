import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of a list of charges shows. */
export const chargeRow = graphql(`
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

export type ChargeRow = ResultOf<typeof chargeRow>;

/** Charges as they change; what to read again. */
export const chargesUpdated = graphql(`
  subscription ChargesUpdated {
    chargesUpdated {
      id
    }
  }
`);

/** Who pays, by the best name there is. */
export function payerText(charge: Pick<ChargeRow, 'firstName' | 'lastName' | 'email' | 'phone'>): string {
  const name = [charge.firstName, charge.lastName].filter(Boolean).join(' ');
  return name || charge.email || charge.phone || 'Unknown';
}
