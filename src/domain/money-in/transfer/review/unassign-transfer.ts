import type { Transfer } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { toDecimal } from '../../../../kit/money.ts';
import { lockTransfer } from '../../../payments/allocation/lock-transfer.ts';
import { parseNote } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { lockCharge } from '../../../payments/charge/lock-charge.ts';
import { addReceivedAmounts } from '../../../payments/charge/transition-charge.ts';
import { getRefundableAmount } from '../../../payments/refund/refund-state.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { undoDuplicate } from '../duplicates/undo-duplicate.ts';
import { getFeeByCharge, getNetByCharge } from '../net-allocations.ts';

type Unassignment = {
  transferId: string;
  /**
   * The charge from which the amount is unassigned. If omitted, a recorded return to the payer, a dismissal or the
   * mark as a duplicate is reverted.
   */
  chargeId?: string | null | undefined;
  note?: string | null | undefined;
};

/**
 * Reverts an allocation, even an automatic one, a return to the payer, a dismissal or the mark as a duplicate; the
 * amount is unallocated again. A completed charge stays completed with a lower received amount. Errors:
 * `transfer_not_found`, `charge_not_found`, `transfer_already_allocated` if there is nothing to revert,
 * `amount_exceeds_refundable` if the charge was already refunded, `invalid_request`.
 */
export async function unassignTransfer(
  db: Db,
  options: MerchantScope & { input: Unassignment; audit: AuditContext; now: Date },
): Promise<Transfer> {
  const { merchantId, mode, input, audit, now } = options;
  const scope = { merchantId, mode };
  const chargeId = input.chargeId ?? null;
  const note = parseNote(input.note);
  return transact(db, async (uow) => {
    const { tx } = uow;
    const charge = chargeId === null ? null : await lockCharge(tx, { ...scope, id: chargeId });
    const transfer = await lockTransfer(tx, { ...scope, id: input.transferId });
    if (transfer.status === 'duplicate' && chargeId === null)
      return undoDuplicate(uow, transfer, { audit, now });
    const amount = await getUnassignableAmount(tx, transfer, chargeId);
    const fee = charge ? ((await getFeeByCharge(tx, transfer.id)).get(charge.id) ?? 0n) : 0n;
    if (charge) {
      const refunds = await tx.refund.findMany({ where: { chargeId: charge.id } });
      const refundable =
        charge.status === 'completed' ? getRefundableAmount(charge, refunds) : charge.amountReceived;
      if (amount > refundable) {
        const detail = `The transfer ${transfer.id} cannot be unassigned, because part of the charge ${charge.id} has been refunded`;
        throw new DomainError('amount_exceeds_refundable', detail);
      }
      await addReceivedAmounts(uow, [{ charge, received: -amount, fee: -fee, eventType: null }], {
        actor: audit.actor,
        now,
      });
    }
    const updated = await transitionTransfer(uow, transfer, {
      to: 'exception',
      reason: 'unassigned',
      allocations: [{ chargeId, amount: -amount, feeAmount: -fee, reason: 'unassigned', note }],
      actor: audit.actor,
      now,
    });
    await recordAudit(uow, {
      ...scope,
      ...audit,
      action: 'transfer.unassigned',
      objectId: transfer.id,
      detail: {
        ...(chargeId !== null && { charge: chargeId }),
        amount: toDecimal({ minor: amount, currency: transfer.currency }),
        currency: transfer.currency,
      },
    });
    return updated;
  });
}

/** Returns the amount that can be unassigned. A transfer that the bank reversed cannot be unassigned. */
async function getUnassignableAmount(tx: Tx, transfer: Transfer, chargeId: string | null): Promise<bigint> {
  const reversal = await tx.transfer.findFirst({
    where: { reversalOfId: transfer.id },
    select: { id: true },
  });
  const net = (await getNetByCharge(tx, transfer.id)).get(chargeId) ?? 0n;
  if (net > 0n && !reversal && transfer.direction === 'credit') return net;
  const missing =
    chargeId === null ? 'was returned to the payer or dismissed' : `is allocated to the charge ${chargeId}`;
  const detail = reversal
    ? `The transfer ${transfer.id} cannot be unassigned, because the bank has reversed it`
    : `No part of the transfer ${transfer.id} ${missing}`;
  throw new DomainError('transfer_already_allocated', detail);
}
