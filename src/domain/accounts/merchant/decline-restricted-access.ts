import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { checkNonEmpty } from '../../../kit/text.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';

const reasonLengthMax = 500;

/**
 * Declines a merchant's access request, or revokes granted access, as an operator. The merchant sees the reason and may
 * request access again.
 */
export async function declineRestrictedAccess(
  db: Db,
  options: AuditContext & { merchantId: string; reason: string },
): Promise<Merchant> {
  const { merchantId, now } = options;
  const reason = checkNonEmpty(options.reason, '/reason', {
    max: reasonLengthMax,
    emptyMessage: 'must not be empty: it is shown to the merchant',
  });
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId);
    const merchant = await uow.tx.merchant.update({
      where: { id: merchantId },
      data: {
        restrictedAccess: 'none',
        restrictedAccessRequestedAt: null,
        restrictedAccessDeclineReason: reason,
        updatedAt: now,
      },
    });
    await recordAudit(uow, {
      ...options,
      action: 'access.declined',
      objectId: merchantId,
      detail: { reason, before: before.restrictedAccess },
    });
    return merchant;
  });
}
