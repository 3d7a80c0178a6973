import type { CheckoutLink } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { parseLinkExpiry, parseLinkName } from './link-input.ts';

/** Undefined leaves a value unchanged, and null removes it. */
type UpdateCheckoutLinkInput = { name?: string | null | undefined; expiresAt?: Date | null | undefined };

/**
 * Changes the name and the expiry of a link. A link that has expired accepts charges again if its expiry is
 * moved to the future or removed. A closed link stays closed. Throws `checkout_link_not_found` or
 * `invalid_request`.
 */
export async function updateCheckoutLink(
  db: Db,
  options: ScopedId & Audited & { input: UpdateCheckoutLinkInput; now: Date },
): Promise<CheckoutLink> {
  const { merchantId, mode, id, input, now, audit } = options;
  const changes = {
    ...(input.name !== undefined && { name: parseLinkName(input.name) }),
    ...(input.expiresAt !== undefined && { expiresAt: parseLinkExpiry(input.expiresAt, now) }),
  };
  return transact(db, async (uow) => {
    const { tx } = uow;
    await tx.$queryRaw`SELECT 1 FROM checkout_link WHERE id = ${id} FOR UPDATE`;
    const before = await tx.checkoutLink.findFirst({ where: { id, merchantId, mode } });
    if (!before) throw new DomainError('checkout_link_not_found', `Checkout link not found: ${id}`);
    const link = await tx.checkoutLink.update({ where: { id }, data: changes });
    const detail = describeChanges(before, link);
    if (audit && Object.keys(detail).length > 0)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'checkout_link.updated',
        objectId: id,
        detail,
      });
    return link;
  });
}

type Change = { from: string | null; to: string | null };

function describeChanges(before: CheckoutLink, after: CheckoutLink): Record<string, Change> {
  const toFacts = ({ name, expiresAt }: CheckoutLink) => ({
    name: name || null,
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  const [from, to] = [toFacts(before), toFacts(after)];
  const names = ['name', 'expiresAt'] as const;
  return Object.fromEntries(
    names.filter((name) => from[name] !== to[name]).map((name) => [name, { from: from[name], to: to[name] }]),
  );
}
