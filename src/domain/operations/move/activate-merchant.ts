import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { isSameText, sha256 } from '../../../kit/secrets.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { requireMoveStep, transitionMerchantMove } from './transition-merchant-move.ts';

/** Starts an imported merchant, with the code that proves that it no longer runs in the other installation. */
export async function activateMerchant(
  db: Db,
  options: AuditContext & { merchantId: string; code: string },
): Promise<Merchant> {
  const { merchantId, code, ...context } = options;
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(before, ['imported']);
    if (!isSameText(sha256(code), before.moveCodeHash!))
      throw new Error(
        'The code does not belong to this import: run `merchant complete-move` in the other installation, or import the latest export',
      );
    const merchant = await transitionMerchantMove(uow, before, 'running', { moveCodeHash: null });
    await recordAudit(uow, {
      ...context,
      merchantId,
      action: 'merchant.activated',
      objectId: merchantId,
    });
    return merchant;
  });
}
