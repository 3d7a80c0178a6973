import { Type } from 'typebox';
import {
  type RefundedCharge,
  type RefundFields,
  toRefundView,
} from '../domain/payments/charge/to-refund-view.ts';
import { customerSchema } from './customer-json.ts';
import { metadataSchema } from './metadata.ts';
import { documentedAs } from './name-components.ts';
import { timestampSchema, toTimestamp } from './timestamp.ts';

export const refundSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the refund, `re_…`.' }),
    chargeId: Type.String({ description: 'The ID of the refunded charge, `ch_…`.' }),
    customer: customerSchema,
    method: Type.String({
      description: 'The code of the payment method that the customer paid with, such as `fps`.',
    }),
    customerAmount: Type.Number({ description: 'The refunded amount, in `customerCurrency`.' }),
    customerCurrency: Type.String({
      description: 'The ISO 4217 code of the currency in which the customer paid and is refunded.',
    }),
    status: Type.String({
      description: 'The status of the refund: `initiated`, `processing`, `completed` or `cancelled`.',
    }),
    detailsUrl: Type.Optional(
      Type.String({
        description:
          'The URL of the page on which the customer enters bank details. Returned only by the operations on refunds, while the status is `initiated`, to callers with the permission `refund`.',
      }),
    ),
    metadata: Type.Optional(metadataSchema),
    payoutReference: Type.String({
      description: 'The text to enter in the payout, by which a bank statement completes the refund.',
    }),
    completedAt: Type.Optional(
      timestampSchema('The time at which the refund was completed. Omitted if it has not been completed.'),
    ),
    createdAt: timestampSchema('The time at which the refund was created.'),
    updatedAt: timestampSchema('The time at which the refund was last updated.'),
  },
  { title: 'Refund', description: 'A refund of a charge, in part or in full.' },
);

/**
 * A refund without the link for payout details, because all users can read a charge, but the link decides where the
 * money goes.
 */
export const refundOfChargeSchema = Type.Omit(refundSchema, ['detailsUrl'], {
  [documentedAs]: refundSchema,
});

/** Returns the documented JSON of a refund; customer and method are those of its charge. */
export function toRefundJson(
  { refund, charge }: { refund: RefundFields; charge: RefundedCharge },
  options: { usesEpochTimestamps: boolean; detailsUrl?: string | undefined },
) {
  return {
    ...toRefundView(refund, charge),
    ...(options.detailsUrl !== undefined && { detailsUrl: options.detailsUrl }),
    ...(refund.completedAt !== null && { completedAt: toTimestamp(refund.completedAt, options) }),
    createdAt: toTimestamp(refund.createdAt, options),
    updatedAt: toTimestamp(refund.updatedAt, options),
  };
}
