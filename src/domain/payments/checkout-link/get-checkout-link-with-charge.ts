import type { Charge, CheckoutLink, Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { getCheckoutLink } from './get-checkout-link.ts';

/** Returns a link with its merchant and its newest charge among `listChargeIds`. Throws `checkout_link_not_found`. */
export async function getCheckoutLinkWithCharge(
  db: Db,
  options: { id: string; listChargeIds: (mode: Mode) => string[] },
): Promise<{ link: CheckoutLink; merchant: Merchant; charge: Charge | null }> {
  const { link, merchant } = await getCheckoutLink(db, options);
  const charge = await db.prisma.charge.findFirst({
    where: { id: { in: options.listChargeIds(link.mode) }, checkoutLinkId: link.id },
    orderBy: { id: 'desc' },
  });
  return { link, merchant, charge };
}
