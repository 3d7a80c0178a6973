import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';

/**
 * Disables or re-enables a merchant's account, as an operator. A disabled merchant's keys, users and tokens are
 * rejected by the API, and its customers cannot start payments. They can still view and cancel open charges, and
 * incoming money is still recorded. Throws 400 if the merchant does not exist.
 */
export async function setMerchantEnabled(
  db: Db,
  options: AuditContext & { merchantId: string; isEnabled: boolean },
): Promise<Merchant> {
  const { merchantId, isEnabled, now } = options;
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId, '/id');
    if ((before.disabledAt === null) === isEnabled) return before;
    const data = { disabledAt: isEnabled ? null : now, updatedAt: now };
    const merchant = await uow.tx.merchant.update({ where: { id: merchantId }, data });
    const action = isEnabled ? 'merchant.enabled' : 'merchant.disabled';
    await recordAudit(uow, { ...options, action, objectId: merchantId });
    return merchant;
  });
}
