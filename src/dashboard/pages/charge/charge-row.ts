import { formatOwnReference } from '../../../language/format-own-reference.ts';
import type { BadgeStatus } from '../../components/status-badge.tsx';
import { sumDecimals } from '../../format/amount.ts';
import { formatPayer } from '../../format/payer.ts';
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
    sellerName
    merchantAmount
    merchantCurrency
    customerAmount
    customerCurrency
    amountReceived
    paymentState
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

/** Returns the badge of the charge. One that is still open may have received a part of its amount. */
export function getChargeBadge({
  status,
  paymentState,
}: Pick<ChargeRow, 'status' | 'paymentState'>): BadgeStatus {
  return status === 'pending' && paymentState === 'partial' ? 'partly_paid' : status;
}

/** Whether the charge received a part of its amount, and is not completed. */
export function isPartlyPaid({ status, paymentState }: Pick<ChargeRow, 'status' | 'paymentState'>): boolean {
  return status !== 'completed' && paymentState === 'partial';
}

/** Returns how much is still to be paid; negative if more than the amount was received. */
export function getRemainingAmount({
  customerAmount,
  amountReceived,
}: Pick<ChargeRow, 'customerAmount' | 'amountReceived'>): string {
  return sumDecimals([customerAmount, `-${amountReceived}`]);
}

/** Returns the order number or the merchant's own reference, and the first item; `''` without any of them. */
export function formatOrder({ orders, notifyPayload }: Pick<ChargeRow, 'orders' | 'notifyPayload'>): string {
  const orderId = orders.find((order) => order.orderId !== null)?.orderId;
  const number = orderId ?? (notifyPayload && formatOwnReference(notifyPayload));
  return [number, orders[0]?.name].filter(Boolean).join(' · ');
}

/** Returns the order and, unless it already names the payer, the email address; `''` without any of them. */
export function formatOrderAndEmail(charge: ChargeRow): string {
  return [formatOrder(charge), charge.email !== formatPayer(charge) && charge.email]
    .filter(Boolean)
    .join(' · ');
}
