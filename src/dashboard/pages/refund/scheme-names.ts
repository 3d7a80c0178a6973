import type { RefundDetails } from './refund-query.ts';

/** The names of the schemes by which a refund is paid to an alias. */
export const schemeNames: Record<NonNullable<RefundDetails['payoutScheme']>, string> = {
  fps: 'FPS',
  paynow: 'PayNow',
  promptpay: 'PromptPay',
  upi: 'UPI',
  payid: 'PayID',
};
