import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from './lock-merchant.ts';

/**
 * An operator switches a merchant's account off, or on again. While it is off its keys, users and tokens are refused
 * and its customers cannot start to pay; money that arrives is recorded all the same. Error: 400 when there is no such
 * merchant.
 */
export async function disableMerchant(
  db: Db,
  options: AuditContext & { merchantId: string; disabled: boolean },
): Promise<Merchant> {
  const { merchantId, disabled, now } = options;
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId);
    if ((before.disabledAt !== null) === disabled) return before;
    const data = { disabledAt: disabled ? now : null, updatedAt: now };
    const merchant = await uow.tx.merchant.update({ where: { id: merchantId }, data });
    const action = disabled ? 'merchant.disabled' : 'merchant.enabled';
    await recordAudit(uow, { ...options, action, objectId: merchantId });
    return merchant;
  });
}
