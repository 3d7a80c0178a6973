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
  const reason = getClosedReason(link, merchantNow(options.systemNow, merchant, link.mode));
  if (reason !== undefined)
    throw new DomainError('link_closed', `The checkout link ${reason}; ask the merchant for a new link`);
  requireEnabledMerchant(merchant);
  return { link, merchant };
}

/** Returns why a link can no longer be paid, as the predicate of a sentence, or undefined if it can. */
export function getClosedReason(
  link: Pick<CheckoutLink, 'closedAt' | 'expiresAt' | 'uses' | 'usageLimit'>,
  now: Date,
): string | undefined {
  if (link.closedAt !== null) return 'was closed';
  if (link.expiresAt !== null && link.expiresAt <= now) return 'has expired';
  if (link.usageLimit === null || link.uses < link.usageLimit) return undefined;
  return `has reached its limit of ${link.usageLimit} open and paid charges`;
}
