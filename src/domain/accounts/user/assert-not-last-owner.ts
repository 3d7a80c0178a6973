import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';

/**
 * Throws `last_owner` if the user is the merchant's last enabled owner. The caller must hold the merchant's
 * lock, so that two owners who remove each other concurrently cannot both succeed.
 */
export async function assertNotLastOwner(tx: Tx, { id, merchantId, role }: MerchantUser): Promise<void> {
  if (role !== 'owner') return;
  const otherOwners = await tx.merchantUser.count({
    where: { merchantId, role: 'owner', removedAt: null, id: { not: id } },
  });
  if (otherOwners === 0) throw new DomainError('last_owner', 'An account must have at least one owner');
}
