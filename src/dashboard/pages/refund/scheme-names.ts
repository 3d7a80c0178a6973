import { t } from '../../language/texts.ts';
import type { RefundDetails } from './refund-query.ts';

/** The names of the schemes by which a refund is paid to an alias. */
export const schemeNames: Record<NonNullable<RefundDetails['payoutScheme']>, string> = {
  fps: t.refund.fps,
  paynow: 'PayNow',
  promptpay: 'PromptPay',
  upi: t.refund.upi,
  payid: t.refund.payid,
};
