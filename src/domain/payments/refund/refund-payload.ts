import type { Charge, Refund } from '../../../../prisma/client/client.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { customerCopy } from '../customer/customer-copy.ts';

/** What is shown of a refund, and of its charge with it. */
export type ShownRefund = Pick<
  Refund,
  'id' | 'chargeId' | 'customerAmount' | 'customerCurrency' | 'status' | 'createdAt' | 'updatedAt'
>;
export type RefundedCharge = Pick<
  Charge,
  'customerId' | 'email' | 'phone' | 'firstName' | 'lastName' | 'method'
>;

/** The refund as the interface documents it; customer and method are those of its charge. */
export function refundPayload(refund: ShownRefund, charge: RefundedCharge) {
  return {
    id: refund.id,
    chargeId: refund.chargeId,
    customer: customerCopy(charge),
    method: charge.method,
    customerAmount: toJsonNumber({ minor: refund.customerAmount, currency: refund.customerCurrency }),
    customerCurrency: refund.customerCurrency,
    status: refund.status,
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
  };
}
