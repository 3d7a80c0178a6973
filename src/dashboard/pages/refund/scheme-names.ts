import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

export const schemeNames: Record<NonNullable<RefundDetails['payoutScheme']>, string> = {
  fps: t.refund.fps,
  paynow: 'PayNow',
  prompt_pay: 'PromptPay',
  upi: t.refund.upi,
  pay_id: t.refund.payid,
};

/** What customers can enter as the alias of each scheme. */
export const aliasHints: typeof schemeNames = {
  fps: t.refund.fpsHint,
  paynow: t.refund.paynowHint,
  prompt_pay: t.refund.promptpayHint,
  upi: t.refund.upiHint,
  pay_id: t.refund.payidHint,
};
