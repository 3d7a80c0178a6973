import type { CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import type { SystemTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import { requireEnabledMerchant } from '../../platform/merchant/require-enabled-merchant.ts';
import { getCheckoutLink } from './get-checkout-link.ts';

/**
 * Returns a link that can still be paid, with its merchant. Throws `checkout_link_not_found`, `link_closed` if the link
 * was closed, has expired or has no uses left, and the errors of `requireEnabledMerchant`.
 */
export async function openCheckoutLink(
  db: Db,
  options: { id: string; systemNow: SystemTime },
): Promise<{ link: CheckoutLink; merchant: Merchant }> {
  const { link, merchant } = await getCheckoutLink(db, options);
  if (link.closedAt !== null)
    throw new DomainError('link_closed', 'The checkout link was closed; ask the merchant for a new link');
  if (link.expiresAt !== null && link.expiresAt <= merchantNow(options.systemNow, merchant, link.mode))
    throw new DomainError('link_closed', 'The checkout link has expired; ask the merchant for a new link');
  if (link.usageLimit !== null && link.uses >= link.usageLimit)
    throw new DomainError(
      'link_closed',
      `The checkout link has reached its limit of ${link.usageLimit} open and paid charges; ask the merchant for a new link`,
    );
  requireEnabledMerchant(merchant);
  return { link, merchant };
}
