import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { t } from '../../language/texts.ts';

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
      min
      max
    }
    hasOrderMismatch
    orders {
      name
      quantity
    }
    usageCount
    paidCount
    usageLimit
    closedAt
    createdAt
  }
`);

export type CheckoutLinkRow = ResultOf<typeof checkoutLinkRowFields>;

/** Returns the name of the link, or else the names of its order lines. */
export function getLinkName({
  name,
  orders,
}: Pick<CheckoutLinkRow, 'name'> & { orders: { name: string | null }[] }): string {
  const orderNames = orders.map((order) => order.name).filter(Boolean);
  return name ?? (orderNames.join(', ') || t.checkoutLink.untitledLink);
}
