import type { Charge, CheckoutLink, Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { getCheckoutLink } from './get-checkout-link.ts';

/**
 * Returns a closed link with its merchant and the newest charge of the link among `chargeIds`. Throws
 * `checkout_link_not_found`.
 */
export async function getClosedCheckoutLink(
  db: Db,
  options: { id: string; chargeIds: (mode: Mode) => string[] },
): Promise<{ link: CheckoutLink; merchant: Merchant; charge: Charge | null }> {
  const { link, merchant } = await getCheckoutLink(db, options);
  const charge = await db.prisma.charge.findFirst({
    where: { id: { in: options.chargeIds(link.mode) }, checkoutLinkId: link.id },
    orderBy: { id: 'desc' },
  });
  return { link, merchant, charge };
}
