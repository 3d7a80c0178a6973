import type { Refund } from '../../../prisma/client/client.ts';
import type { MerchantCaller } from '../api-key/permissions.ts';
import { type Linking, payUrl } from '../checkout/pay-url.ts';
import { hasProved } from '../user/require-second-factor.ts';

/** Where the customer tells where the money goes; undefined once that has been told. */
export function refundDetailsUrl(service: Linking, refund: Refund): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  return payUrl(service, 'refund', refund);
}

/**
 * Whether who asks is told that address. Whoever has it says where the money goes: so only those who may give money
 * back, or say that it was sent; live, a user with a second factor has given it again.
 */
export function mayDirectRefunds(caller: MerchantCaller, now: Date): boolean {
  const { permissions, mode } = caller;
  if (!permissions.has('refund') && !permissions.has('transfers')) return false;
  return mode !== 'live' || hasProved(caller, now);
}

export function shownDetailsUrl(
  service: Linking,
  refund: Refund,
  { caller, now }: { caller: MerchantCaller; now: Date },
): string | undefined {
  return mayDirectRefunds(caller, now) ? refundDetailsUrl(service, refund) : undefined;
}
