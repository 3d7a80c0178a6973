import type { Charge } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import type { EventInput } from '../../../event/event-row.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';
import type { ChargeChange } from './update-charges.ts';

/**
 * Returns the events of a changed charge. Each has its own object version, the last being the charge's
 * version. Only completion is sent to the charge's callback URL.
 */
export function toChargeEvents(
  charge: Charge,
  eventTypes: readonly EventType[],
  { now, actor, ipAddress }: ChargeChange,
): EventInput[] {
  const { merchantId, mode } = charge;
  const payload = toChargeEventPayload(charge);
  return eventTypes.map((eventType, i) => ({
    merchantId,
    mode,
    type: eventType,
    objectId: charge.id,
    objectVersion: charge.version - eventTypes.length + i + 1,
    payload,
    actor,
    ipAddress,
    callbackUrl: eventType === 'CHARGE_COMPLETE' ? charge.notifyUrl : null,
    now,
  }));
}

/**
 * Returns the payload of a charge event. `notifyPayload` is part of the payload, so that the signature covers
 * it.
 */
function toChargeEventPayload(charge: Charge): object {
  return {
    chargeId: charge.id,
    merchantId: charge.merchantId,
    customerAmount: toJsonNumber({ minor: charge.customerAmount, currency: charge.customerCurrency }),
    customerCurrency: charge.customerCurrency,
    amountReceived: toJsonNumber({ minor: charge.amountReceived, currency: charge.customerCurrency }),
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
    ...toMetadataMember(charge.metadata),
    ...(charge.notifyPayload !== null && { notifyPayload: charge.notifyPayload }),
  };
}
