import type { CheckoutLink } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';

/** The link a customer opened. Error: `checkout_link_not_found`. */
export async function getCheckoutLink(db: Db, options: { id: string }): Promise<CheckoutLink> {
  const link = await db.prisma.checkoutLink.findUnique({ where: { id: options.id } });
  if (!link) throw new DomainError('checkout_link_not_found', `There is no checkout link ${options.id}`);
  return link;
}
