import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MessageService } from '../../../message/enqueue-message.ts';
import { type Audited, getSystemTime, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import { lockRefund } from './lock-refund.ts';
import { type RefundWithCharge, transitionRefund } from './transition-refund.ts';

/**
 * Records the merchant's confirmation that the refund was paid. In the sandbox, payout details are not
 * required. Throws `refund_not_found`, `refund_not_processing` or `statement_undo_in_progress`.
 */
export async function completeRefund(
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
        action: 'refund.completed',
        objectId: id,
        detail: toAmountDetail(refund),
      });
    const change = { ...options, systemNow: getSystemTime(options) };
    return { refund: await transitionRefund(uow, { refund, charge }, 'completed', change), charge };
  });
}
