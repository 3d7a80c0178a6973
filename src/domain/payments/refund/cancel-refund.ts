import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MessageService } from '../../../message/enqueue-message.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundWithCharge, transitionRefund } from './transition-refund.ts';

/**
 * Cancels a refund that is not paid and in no payout file, and deletes its payout details. Its amount becomes
 * refundable again. Throws `refund_not_found` or `refund_not_initiated`.
 */
export async function cancelRefund(
  service: MessageService,
  options: ScopedId & Audited & { actor: string; now: MerchantTime },
): Promise<RefundWithCharge> {
  const { merchantId, mode, id, audit } = options;
  return transact(service, async (uow) => {
    const { refund, charge } = await lockRefund(uow.tx, options);
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'refund.cancelled',
        objectId: id,
        detail: toAmountDetail(refund),
      });
    const change = { ...options, data: { detailsEncrypted: null, payoutScheme: null } };
    return { refund: await transitionRefund(uow, { refund, charge }, 'cancelled', change), charge };
  });
}
