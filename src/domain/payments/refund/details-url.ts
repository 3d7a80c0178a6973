import type { Refund } from '../../../../prisma/client/client.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import type { MerchantCaller } from '../../accounts/api-key/permissions.ts';
import { hasRecentTwoFactor } from '../../accounts/user/require-recent-two-factor.ts';
import { payUrl, type UrlContext } from '../checkout/pay-url.ts';

/** Returns the URL where the customer enters payout details, or undefined if they were submitted already. */
export function refundDetailsUrl(service: UrlContext, refund: Refund): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  return payUrl(service, 'refund', refund);
}

/**
 * Returns whether the caller may see the details URL. Its holder decides where the money goes, so it requires
 * the permission `refund`. In live mode, users with two-factor authentication must also have entered a code
 * recently.
 */
export function canAccessRefundDetails(caller: MerchantCaller, now: MachineTime): boolean {
  const { permissions, mode } = caller;
  return permissions.has('refund') && (mode !== 'live' || hasRecentTwoFactor(caller, now));
}

export function getVisibleDetailsUrl(
  service: UrlContext,
  refund: Refund,
  { caller, now }: { caller: MerchantCaller; now: MachineTime },
): string | undefined {
  return canAccessRefundDetails(caller, now) ? refundDetailsUrl(service, refund) : undefined;
}
