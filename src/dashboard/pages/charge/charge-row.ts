import { formatOwnReference } from '../../../language/format-own-reference.ts';
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
    notifyPayload
    note
    orders {
      orderId
      name
    }
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

/** Returns the order number or the merchant's own reference, and the first item; `''` without any of them. */
export function formatOrder({ orders, notifyPayload }: Pick<ChargeRow, 'orders' | 'notifyPayload'>): string {
  const orderId = orders.find((order) => order.orderId !== null)?.orderId;
  const number = orderId ?? (notifyPayload && formatOwnReference(notifyPayload));
  return [number, orders[0]?.name].filter(Boolean).join(' · ');
}
