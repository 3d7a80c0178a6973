import type { CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { requireEnabledMerchant } from '../../accounts/merchant/require-enabled-merchant.ts';
import { getCheckoutLink } from './get-checkout-link.ts';

/**
 * Returns a link that can still be paid, with its merchant. Throws `checkout_link_not_found`, `link_closed`
 * if the link was closed or has no uses left, or `account_disabled`.
 */
export async function openCheckoutLink(
  db: Db,
  options: { id: string },
): Promise<{ link: CheckoutLink; merchant: Merchant }> {
  const { link, merchant } = await getCheckoutLink(db, options);
  const isUsedUp = link.usesLimit !== null && link.uses >= link.usesLimit;
  if (link.closedAt !== null || isUsedUp) throw new DomainError('link_closed');
  requireEnabledMerchant(merchant);
  return { link, merchant };
}
