import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const sessionRowFields = graphql(`
  fragment SessionRow on CheckoutSession {
    id
    status
    amount
    currency
    hasOrderMismatch
    orders {
      orderId
      name
      quantity
      amount
    }
    customer {
      email
      phone
      firstName
      lastName
    }
    checkoutUrl
    createdAt
    charge {
      id
    }
  }
`);

export type SessionRow = ResultOf<typeof sessionRowFields>;

/** Returns whether a charge can still be created from the session. */
export function isOpen({ status }: Pick<SessionRow, 'status'>): boolean {
  return status === 'created' || status === 'initiated';
}
