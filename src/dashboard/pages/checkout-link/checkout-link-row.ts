import { graphql, type ResultOf } from '../../graphql/graphql.ts';

export const checkoutLinkRowFields = graphql(`
  fragment CheckoutLinkRow on CheckoutLink {
    id
    url
    name
    expiresAt
    isExpired
    amount
    currency
    customAmount {
      minimum
      maximum
    }
    hasOrderMismatch
    orders {
      name
      quantity
    }
    usageCount
    usageLimit
    closedAt
    createdAt
  }
`);

export type CheckoutLinkRow = ResultOf<typeof checkoutLinkRowFields>;
