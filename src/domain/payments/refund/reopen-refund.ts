import type { Refund } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { checkText } from '../../../kit/text.ts';
import { type Audited, getSystemTime, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import type { Service } from '../../platform/service.ts';
import { lockTransfer } from '../allocation/lock-transfer.ts';
import { transitionTransfer } from '../allocation/transition-transfer.ts';
import { findReturnedPayout } from './find-returned-payout.ts';
import { generatePayoutReference } from './generate-payout-reference.ts';
import { lockRefund } from './lock-refund.ts';
import { mailRefundLink } from './mail-refund.ts';
import { recordPayoutReturn } from './record-payout.ts';
import { requireStatementsNotUndoing } from './require-no-undo.ts';
import { type RefundWithCharge, transitionRefund } from './transition-refund.ts';

const reasonLengthMax = 300;

/**
 * Reopens a refund whose payout was returned, and emails the customer a new link with the reason. The next
 * payout gets a new reference, so that a late transfer with the previous one completes nothing. A completed
 * refund can be reopened only if a transfer has returned its payout. The transfer, if any, is allocated to
 * the refund. Throws `invalid_request`, `refund_not_found`, `refund_not_processing`,
 * `statement_undo_in_progress`, `transfer_already_allocated`, or `unavailable` if no payout reference is
 * free.
 */
export async function reopenRefund(
  service: Service,
  options: ScopedId &
    Audited & {
      reason: string;
      actor: string;
      now: MerchantTime;
    },
): Promise<RefundWithCharge> {
  const { merchantId, mode, id, audit } = options;
  const reopenReason = checkText(options.reason, '/reason', reasonLengthMax);
  return transact(service, async (uow) => {
    const { tx } = uow;
    const { refund, charge } = await lockRefund(tx, options);
    const returnTransfer = await findReturnedPayout(tx, refund);
    const reopenedRefund = await transitionRefund(uow, { refund, charge }, 'initiated', {
      ...options,
      returnTransfer,
      data: {
        reopenReason,
        detailsEncrypted: null,
        payoutScheme: null,
        linkVersion: refund.linkVersion + 1,
        payoutReference: await generatePayoutReference(tx, refund),
        previousPayoutReferences: [...refund.previousPayoutReferences, refund.payoutReference],
        payoutExportedAt: null,
      },
    });
    if (returnTransfer) await allocateToRefund(uow, refund, returnTransfer.id, options);
    await mailRefundLink(uow, { refund: reopenedRefund, charge }, { systemNow: getSystemTime(options) });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'refund.reopened',
        objectId: id,
        detail: toAmountDetail(refund),
      });
    return { refund: reopenedRefund, charge };
  });
}

async function allocateToRefund(
  uow: UnitOfWork,
  refund: Refund,
  transferId: string,
  { actor, now }: { actor: string; now: MerchantTime },
): Promise<void> {
  const transfer = await lockTransfer(uow.tx, {
    merchantId: refund.merchantId,
    mode: refund.mode,
    id: transferId,
  });
  await requireStatementsNotUndoing(uow.tx, transfer.statementId === null ? [] : [transfer.statementId]);
  await transitionTransfer(uow, transfer, {
    to: 'matched',
    allocations: [
      { chargeId: null, refundId: refund.id, amount: transfer.amount, reason: 'payout_returned' },
    ],
    actor,
    now,
  });
  await recordPayoutReturn(uow, { refund, returnTransfer: transfer }, { actor, now });
}
