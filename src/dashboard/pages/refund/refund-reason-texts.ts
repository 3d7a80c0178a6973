import type { RefundDetails } from './refund-query.ts';

export type RefundReasonCode = NonNullable<RefundDetails['reason']>;

export const refundReasonTexts: Record<RefundReasonCode, string> = {
  requested_by_customer: 'Customer asked for it',
  duplicate: 'Paid twice',
  overpaid: 'Paid too much',
  not_delivered: 'Not delivered',
  other: 'Other',
};
