import type { CheckoutSession } from '../../../../prisma/client/client.ts';
import { splitPhone } from '../../../kit/contact.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { filterAvailableMethods } from '../../accounts/receiving-account/find-available-methods.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';
import type { Service } from '../../platform/service.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { getSessionUrl } from '../customer-page/checkout-url.ts';

/**
 * Returns a session as the API documents it, without members that have no value. `methods` are those of the
 * session, or all if it has none, that are also in `available`.
 */
export function toSessionView(
  service: Pick<Service, 'settings'>,
  session: CheckoutSession,
  available: readonly MethodCode[],
) {
  return {
    id: session.id,
    status: session.status,
    amount: toJsonNumber({ minor: session.amount, currency: session.currency }),
    currency: session.currency,
    orders: (session.orders as OrderLine[]).map(toOrderLineJson),
    methods: filterAvailableMethods(available, session.methods),
    checkoutUrl: getSessionUrl(service, session),
    ...(session.notifyUrl !== null && { notifyUrl: session.notifyUrl }),
    ...(session.notifyPayload !== null && { notifyPayload: session.notifyPayload }),
    ...toMetadataMember(session.metadata),
    ...(session.redirectUrl !== null && { redirectUrl: session.redirectUrl }),
    ...(session.cancelUrl !== null && { cancelUrl: session.cancelUrl }),
    ...(session.customer !== null && { customer: toCustomerInput(session.customer as CustomerDetails) }),
    expiresAt: session.expiresAt.toISOString(),
    createdAt: session.createdAt.toISOString(),
    updatedAt: session.updatedAt.toISOString(),
  };
}

/** Converts prefill data to its input form, with the phone as calling code and national number. */
function toCustomerInput({ phone, ...customer }: CustomerDetails) {
  return { ...customer, ...(phone !== undefined && { phone: splitPhone(phone) }) };
}
