import type { Charge, Merchant, Refund } from '../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import type { Secrets } from '../../../kit/secrets.ts';
import type { MerchantCaller } from '../../accounts/api-key/permissions.ts';
import { passesTwoFactorCheck } from '../../accounts/user/require-recent-two-factor.ts';
import { getPageTokenId, requirePageToken } from '../customer-page/page-tokens.ts';
import { getPayUrl, type UrlContext } from '../customer-page/pay-url.ts';

/**
 * Returns the URL where the customer enters payout details, or undefined unless the refund has the status
 * `initiated`.
 */
export function getRefundDetailsUrl(service: UrlContext, refund: Refund): string | undefined {
  if (refund.status !== 'initiated') return undefined;
  return getPayUrl(service, 'refund', refund);
}

/**
 * Returns whether the caller may see the URL for payout details. A person with the URL decides where the money
 * goes, so seeing it requires the permission `refund`. In live mode, users with two-factor authentication must
 * also have entered a code recently.
 */
export function canAccessRefundDetails(caller: MerchantCaller, now: SystemTime): boolean {
  const { permissions, mode } = caller;
  return permissions.has('refund') && (mode !== 'live' || passesTwoFactorCheck(caller, now));
}

export function getVisibleDetailsUrl(
  service: UrlContext,
  refund: Refund,
  { caller, now }: { caller: MerchantCaller; now: SystemTime },
): string | undefined {
  return canAccessRefundDetails(caller, now) ? getRefundDetailsUrl(service, refund) : undefined;
}

export type RefundPage = { refund: Refund; charge: Charge; merchant: Merchant };

/**
 * Returns the refund that a page token grants access to. Throws `refund_not_found`, or `link_closed` for a
 * token that was valid until the details were requested again.
 */
export async function openRefundPage(
  service: Db & { secrets: Secrets },
  { token }: { token: string },
): Promise<RefundPage> {
  const row = await service.prisma.refund.findUnique({
    where: { id: getPageTokenId(token) },
    include: { charge: { include: { merchant: true } } },
  });
  const notFoundCode = 'refund_not_found';
  const refundRow = requirePageToken(service.secrets, 'refund', { object: row, token, notFoundCode });
  const { charge: chargeAndMerchant, ...refund } = refundRow;
  const { merchant, ...charge } = chargeAndMerchant;
  return { refund, charge, merchant };
}
