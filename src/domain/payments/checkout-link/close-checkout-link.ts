import type { CheckoutLink } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

/** Closes a link to new charges. Does nothing if it is already closed. Throws `checkout_link_not_found`. */
export async function closeCheckoutLink(
  db: Db,
  options: ScopedId & Audited & { now: Date },
): Promise<CheckoutLink> {
  const { merchantId, mode, id, now, audit } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await tx.checkoutLink.updateMany({
      where: { id, merchantId, mode, closedAt: null },
      data: { closedAt: now },
    });
    const link = await tx.checkoutLink.findFirst({ where: { id, merchantId, mode } });
    if (!link) throw new DomainError('checkout_link_not_found', `Checkout link not found: ${id}`);
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'checkout_link.closed', objectId: id });
    return link;
  });
}
