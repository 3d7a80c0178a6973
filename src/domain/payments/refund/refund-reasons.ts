import { invalidInputError } from '../../../kit/errors.ts';

/** Why a merchant refunds, with texts for the API. The keys are stored and must not be renamed. */
export const refundReasons = {
  requested_by_customer: 'The customer asked for the refund',
  duplicate: 'The customer paid twice',
  overpaid: 'The customer paid too much',
  not_delivered: 'The order was not delivered, or not in full',
  damaged: 'An item was damaged or faulty',
  other: 'Another reason',
} as const;

export type RefundReason = keyof typeof refundReasons;

/** Throws `invalid_request` unless the reason is known. */
export function parseRefundReason(reason: string | null | undefined): RefundReason | null {
  if (reason == null) return null;
  if (!(reason in refundReasons))
    throw invalidInputError('/reason', `must be one of ${Object.keys(refundReasons).join(', ')}`);
  return reason as RefundReason;
}
