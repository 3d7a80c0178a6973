import type { Charge, CheckoutLink, Merchant, Mode } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

export async function getCheckoutLink(
  { prisma }: Db,
  { id }: { id: string },
): Promise<{ link: CheckoutLink; merchant: Merchant }> {
  const link = await prisma.checkoutLink.findUnique({ where: { id } });
  if (!link) throw new DomainError('checkout_link_not_found', `Checkout link not found: ${id}`);
  const merchant = await prisma.merchant.findUniqueOrThrow({ where: { id: link.merchantId } });
  return { link, merchant };
}

/**
 * Returns a link with its merchant and its newest charge among those that `listChargeIds` returns for its
 * mode, or null if there is none. Throws `checkout_link_not_found`.
 */
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
