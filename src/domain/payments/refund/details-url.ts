import type { Refund } from '../../../../prisma/client/client.ts';
import type { MachineTime } from '../../../kit/clock.ts';
import type { MerchantCaller } from '../../accounts/api-key/permissions.ts';
import { hasRecentTwoFactor } from '../../accounts/user/require-recent-two-factor.ts';
import { payUrl, type UrlContext } from '../checkout/pay-url.ts';

/** Where the customer tells where the money goes; undefined once that has been told. */
export function refundDetailsUrl(service: UrlContext, refund: Refund): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  return payUrl(service, 'refund', refund);
}

/**
 * Whether the caller may see that address. Anyone who has it decides where the money goes: so only with the permission
 * `refund`, and in live mode only by a user who has entered a code recently, where they have two-factor authentication.
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
