import type { CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import type { Service } from '../../platform/service.ts';
import { getPageTokenId, requirePageToken } from '../customer-page/page-tokens.ts';

export type PosterLink = { link: CheckoutLink; merchant: Merchant };

/**
 * Returns the link that a poster's token grants access to. Throws `checkout_link_not_found` and the errors of
 * `requireEnabledMerchant`.
 */
export async function openPoster(service: Service, token: string): Promise<PosterLink> {
  const row = await service.prisma.checkoutLink.findUnique({ where: { id: getPageTokenId(token) } });
  const notFoundCode = 'checkout_link_not_found';
  const link = requirePageToken(service.secrets, 'poster', { object: row, token, notFoundCode });
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: link.merchantId } });
  requireEnabledMerchant(merchant);
  return { link, merchant };
}
