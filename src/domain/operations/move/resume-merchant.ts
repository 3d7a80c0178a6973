import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { lockMerchant } from '../../platform/merchant/lock-merchant.ts';
import { requireMoveStep, transitionMerchantMove } from './transition-merchant-move.ts';

/**
 * Reverts a move: a paused merchant runs here again. Exported files can then never be activated, because their
 * code is deleted. Throws if the move is complete.
 */
export async function resumeMerchant(
  db: Db,
  options: AuditContext & { merchantId: string },
): Promise<Merchant> {
  const { merchantId } = options;
  return transact(db, async (uow) => {
    const before = await lockMerchant(uow.tx, merchantId, '/id');
    requireMoveStep(before, ['pausing', 'paused']);
    const merchant = await transitionMerchantMove(uow, before, 'running', {
      moveCodeHash: null,
      moveCodeEncrypted: null,
    });
    await recordAudit(uow, { ...options, action: 'merchant.resumed', objectId: merchantId });
    return merchant;
  });
}
