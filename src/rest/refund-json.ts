import { Type } from 'typebox';
import type { Refund } from '../../prisma/client/client.ts';
import { toJsonNumber } from '../kit/money.ts';
import { toTimestamp } from './timestamp.ts';

export const refundSchema = Type.Object(
  {
    id: Type.String(),
    chargeId: Type.String(),
    customer: Type.Object({}, { additionalProperties: true }),
    method: Type.String(),
    customerAmount: Type.Number(),
    customerCurrency: Type.String(),
    status: Type.String(),
    createdAt: Type.Union([Type.String(), Type.Integer()]),
    updatedAt: Type.Union([Type.String(), Type.Integer()]),
  },
  { title: 'Refund' },
);

/** The refund as the interface documents it; customer and method are those of its charge. */
export function toRefundJson(refund: Refund, options: { customer: object; method: string; epoch: boolean }) {
  return {
    id: refund.id,
    chargeId: refund.chargeId,
    customer: options.customer,
    method: options.method,
    customerAmount: toJsonNumber({ minor: refund.customerAmount, currency: refund.customerCurrency }),
    customerCurrency: refund.customerCurrency,
    status: refund.status,
    createdAt: toTimestamp(refund.createdAt, options),
    updatedAt: toTimestamp(refund.updatedAt, options),
  };
}
