import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';

/**
 * Grants a merchant access to the restricted operations, as an operator. Throws 400 if the merchant does not
 * exist.
 */
export async function grantRestrictedAccess(
  db: Db,
  options: AuditContext & { merchantId: string },
): Promise<Merchant> {
  const { merchantId, now } = options;
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId);
    if (before.restrictedAccess === 'granted') return before;
    const merchant = await uow.tx.merchant.update({
      where: { id: merchantId },
      data: {
        restrictedAccess: 'granted',
        restrictedAccessRequestedAt: null,
        restrictedAccessDeclineReason: null,
        updatedAt: now,
      },
    });
    await recordAudit(uow, { ...options, action: 'access.granted', objectId: merchantId });
    return merchant;
  });
}
