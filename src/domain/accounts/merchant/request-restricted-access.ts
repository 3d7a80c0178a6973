import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import type { RequestContext } from '../api-key/permissions.ts';
import { requireOwner } from '../api-key/permissions.ts';
import { findAccessVolumes, type MonthVolume } from './find-access-volumes.ts';

type AccessRequestResult = { merchant: Merchant; monthlyVolumes: MonthVolume[] };

/**
 * Requests access to the restricted operations; the caller must be an owner. Access is granted immediately if each of
 * the last six full months reached the required volume. Otherwise an operator decides, and `monthlyVolumes` shows how
 * far each month is below the required volume. A repeated request is evaluated again, but access that has been granted
 * is kept. Throws `permission_denied`.
 */
export async function requestRestrictedAccess(
  db: Db,
  { caller, ipAddress, now }: RequestContext,
): Promise<AccessRequestResult> {
  requireOwner(caller, 'request restricted access');
  const merchantId = caller.merchant.id;
  return transact(db, async (uow) => {
    const { tx } = uow;
    const before = await lockMerchant(tx, merchantId);
    const monthlyVolumes = await findAccessVolumes({ prisma: tx }, { merchantId, now });
    if (before.restrictedAccess === 'granted') return { merchant: before, monthlyVolumes };
    const isEligible = monthlyVolumes.every(({ shortfallCents }) => shortfallCents === 0n);
    const merchant = await tx.merchant.update({
      where: { id: merchantId },
      data: {
        restrictedAccess: isEligible ? 'granted' : 'requested',
        restrictedAccessRequestedAt: isEligible ? null : now,
        restrictedAccessDeclineReason: null,
        updatedAt: now,
      },
    });
    await recordAudit(uow, {
      merchantId,
      actor: caller.actor,
      ipAddress,
      now,
      action: isEligible ? 'access.granted' : 'access.requested',
      objectId: merchantId,
      detail: Object.fromEntries(
        monthlyVolumes.map(({ month, volumeCents }) => [month, `${volumeCents} US cents`]),
      ),
    });
    return { merchant, monthlyVolumes };
  });
}
