import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MessageService } from '../../../message/enqueue-message.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundWithCharge, transitionRefund } from './transition-refund.ts';

/**
 * Undoes the completion of a refund that the merchant marked as paid, so that the refund can be paid again. This is
 * possible once for each refund, while its payout details are stored, and until a bank transfer confirms the payout.
 * Throws `refund_not_found` or `refund_not_processing`.
 */
export async function undoRefundCompletion(
  service: MessageService,
  options: ScopedId & Audited & { actor: string; now: MerchantTime },
): Promise<RefundWithCharge> {
  const { merchantId, mode, id, audit, actor, now } = options;
  return transact(service, async (uow) => {
    const { refund, charge } = await lockRefund(uow.tx, options);
    if (refund.status !== 'completed') throw notUndoableError(id, `it has the status "${refund.status}"`);
    if (refund.completionUndoneAt !== null) throw notUndoableError(id, 'this was undone once before');
    if (refund.detailsEncrypted === null) throw notUndoableError(id, 'its bank details are not stored');
    const unconfirmed = { refundId: id, transferId: null, returnedTransferId: null };
    const { count } = await uow.tx.refundPayout.deleteMany({ where: unconfirmed });
    if (count === 0) throw notUndoableError(id, 'a transfer of the bank confirms that it was paid');
    const data = { completionUndoneAt: now };
    const change = { actor, now, data, isMistaken: true };
    const reopened = await transitionRefund(uow, { refund, charge }, 'processing', change);
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'refund.completion_undone',
        objectId: id,
        detail: toAmountDetail(refund),
      });
    return { refund: reopened, charge };
  });
}

function notUndoableError(id: string, reason: string): DomainError {
  return new DomainError(
    'refund_not_processing',
    `The completion of the refund ${id} cannot be undone, because ${reason}`,
  );
}
