import { toJsonNumber } from '../../../kit/money.ts';
import type { Destination } from '../../../method/destination.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';
import { toCustomerView } from '../customer/to-customer-view.ts';
import type { ChargeWithRefunds } from './read-charge.ts';
import { toRefundView } from './to-refund-view.ts';

/** Returns a charge as the API documents it, without members that have no value. */
export function toChargeView(charge: ChargeWithRefunds) {
  const { qrCode, account, nonce, accountName, bank } = charge.destination as Destination;
  return {
    id: charge.id,
    customer: toCustomerView(charge),
    merchantAmount: toJsonNumber({ minor: charge.merchantAmount, currency: charge.merchantCurrency }),
    merchantCurrency: charge.merchantCurrency,
    method: charge.method,
    customerAmount: toJsonNumber({ minor: charge.customerAmount, currency: charge.customerCurrency }),
    customerCurrency: charge.customerCurrency,
    status: charge.status,
    amountReceived: toJsonNumber({ minor: charge.amountReceived, currency: charge.customerCurrency }),
    destination: { qrCode, account, nonce, accountName, bank },
    refunds: charge.refunds.map((refund) => toRefundView(refund, charge)),
    orders: (charge.orders as OrderLine[]).map(toOrderLineJson),
    ...(charge.notifyPayload !== null && { notifyPayload: charge.notifyPayload }),
    ...toMetadataMember(charge.metadata),
    // The API documents this member only for charges of sessions.
    ...(charge.sessionId !== null && charge.notifyUrl !== null && { notifyUrl: charge.notifyUrl }),
    ...(charge.sessionId !== null && { sessionId: charge.sessionId }),
    ...(charge.subscriptionId !== null && { subscriptionId: charge.subscriptionId }),
    expiresAt: charge.expiresAt.toISOString(),
    createdAt: charge.createdAt.toISOString(),
    updatedAt: charge.updatedAt.toISOString(),
  };
}
