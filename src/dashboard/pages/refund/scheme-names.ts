import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

export const schemeNames: Record<NonNullable<RefundDetails['payoutScheme']>, string> = {
  fps: t.refund.fps,
  paynow: 'PayNow',
  promptpay: 'PromptPay',
  upi: t.refund.upi,
  payid: t.refund.payid,
};

/** What customers can enter as the alias of each scheme. */
export const aliasHints: typeof schemeNames = {
  fps: t.refund.fpsHint,
  paynow: t.refund.paynowHint,
  promptpay: t.refund.promptpayHint,
  upi: t.refund.upiHint,
  payid: t.refund.payidHint,
};
