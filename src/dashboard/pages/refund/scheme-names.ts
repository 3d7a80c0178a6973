import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

export const schemeNames: Record<NonNullable<RefundDetails['payoutScheme']>, string> = {
  fps: t.refund.fps,
  paynow: 'PayNow',
  promptpay: 'PromptPay',
  upi: t.refund.upi,
  payid: t.refund.payid,
};
