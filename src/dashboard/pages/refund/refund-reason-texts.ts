import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

export type RefundReasonCode = NonNullable<RefundDetails['reason']>;

export const refundReasonTexts: Record<RefundReasonCode, string> = {
  requested_by_customer: t.refund.customerAskedForIt,
  duplicate: t.refund.paidTwice,
  overpaid: t.refund.paidTooMuch,
  not_delivered: t.refund.notDelivered,
  damaged: t.refund.damaged,
  other: t.refund.otherReason,
};
