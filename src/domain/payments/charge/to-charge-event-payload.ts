import type { Charge } from '../../../../prisma/client/client.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';

/**
 * Returns the payload of a charge event: the documented members, with `notifyPayload` last, so that the
 * signature covers it, too.
 */
export function toChargeEventPayload(charge: Charge): object {
  return {
    chargeId: charge.id,
    merchantId: charge.merchantId,
    customerCurrency: charge.customerCurrency,
    merchantAmount: toJsonNumber({ minor: charge.merchantAmount, currency: charge.merchantCurrency }),
    merchantCurrency: charge.merchantCurrency,
    status: charge.status,
    paymentMethod: charge.method,
    orders: (charge.orders as OrderLine[]).map((order) => ({
      ...toOrderLineJson(order),
      currency: charge.merchantCurrency,
    })),
    ...(charge.sessionId !== null && { sessionId: charge.sessionId }),
    ...(charge.subscriptionId !== null && { subscriptionId: charge.subscriptionId }),
    ...(charge.notifyPayload !== null && { notifyPayload: charge.notifyPayload }),
  };
}
