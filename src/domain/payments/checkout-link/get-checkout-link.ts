import type { CheckoutLink, Merchant } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/** Returns a link with its merchant. Throws `checkout_link_not_found`. */
export async function getCheckoutLink(
  { prisma }: Db,
  { id }: { id: string },
): Promise<{ link: CheckoutLink; merchant: Merchant }> {
  const link = await prisma.checkoutLink.findUnique({ where: { id } });
  if (!link) throw new DomainError('checkout_link_not_found', `Checkout link not found: ${id}`);
  const merchant = await prisma.merchant.findUniqueOrThrow({ where: { id: link.merchantId } });
  return { link, merchant };
}
