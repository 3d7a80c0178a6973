import type { Charge, Refund } from '../../../../prisma/client/client.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import { toMetadataMember } from '../../platform/metadata.ts';
import { toCustomerView } from '../customer/to-customer-view.ts';

export type RefundFields = Pick<
  Refund,
  | 'id'
  | 'chargeId'
  | 'customerAmount'
  | 'customerCurrency'
  | 'status'
  | 'metadata'
  | 'payoutReference'
  | 'completedAt'
  | 'createdAt'
  | 'updatedAt'
>;
export type RefundedCharge = Pick<
  Charge,
  'customerId' | 'email' | 'phone' | 'firstName' | 'lastName' | 'method'
>;

/** Returns a refund as the API documents it. Customer and method are those of the charge. */
export function toRefundView(refund: RefundFields, charge: RefundedCharge) {
  return {
    id: refund.id,
    chargeId: refund.chargeId,
    customer: toCustomerView(charge),
    method: charge.method,
    customerAmount: toJsonNumber({ minor: refund.customerAmount, currency: refund.customerCurrency }),
    customerCurrency: refund.customerCurrency,
    status: refund.status,
    ...toMetadataMember(refund.metadata),
    payoutReference: refund.payoutReference,
    ...(refund.completedAt !== null && { completedAt: refund.completedAt.toISOString() }),
    createdAt: refund.createdAt.toISOString(),
    updatedAt: refund.updatedAt.toISOString(),
  };
}
