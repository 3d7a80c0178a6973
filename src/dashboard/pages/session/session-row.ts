import { graphql, type ResultOf } from '../../graphql/graphql.ts';

/** What a line of the list of sessions shows. */
export const sessionRowFields = graphql(`
  fragment SessionRow on CheckoutSession {
    id
    status
    amount
    currency
    orders {
      id
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

/** While it can be paid by. */
export function isOpen({ status }: Pick<SessionRow, 'status'>): boolean {
  return status === 'created' || status === 'initiated';
}
