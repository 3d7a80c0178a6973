import type { Transfer } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import { toDecimal } from '../../../kit/money.ts';
import type { Owner } from '../../../kit/owner.ts';
import { lockTransfer } from '../../payments/allocation/lock-transfer.ts';
import { parseNote } from '../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import { lockCharge } from '../../payments/charge/lock-charge.ts';
import { receiveOnCharges } from '../../payments/charge/transition-charge.ts';
import { amountRefundable } from '../../payments/refund/refund-state.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { netByCharge } from './where-it-went.ts';

export type Unassignment = {
  transferId: string;
  /** The charge it shall count for no longer; left out: it was not sent back after all. */
  chargeId?: string | null | undefined;
  note?: string | null | undefined;
};

/**
 * Corrects a decision, the service's own too: what of a transfer counts for a charge, or was sent back, is open again.
 * A completed charge stays completed and shows that it has received less. Errors: `transfer_not_found`,
 * `charge_not_found`, `transfer_already_allocated` when nothing of it counts there, `amount_exceeds_refundable` when
 * the charge has given it back already, `invalid_request`.
 */
export async function unassignTransfer(
  db: Db,
  options: Owner & { input: Unassignment; audit: AuditContext; now: Date },
): Promise<Transfer> {
  const { merchantId, mode, input, audit, now } = options;
  const owner = { merchantId, mode };
  const chargeId = input.chargeId ?? null;
  const note = parseNote(input.note);
  return transact(db, async (uow) => {
    const { tx } = uow;
    const charge = chargeId === null ? null : await lockCharge(tx, { ...owner, id: chargeId });
    const transfer = await lockTransfer(tx, { ...owner, id: input.transferId });
    const amount = await amountToTakeBack(tx, transfer, chargeId);
    if (charge) {
      const refunds = await tx.refund.findMany({ where: { chargeId: charge.id } });
      const left = charge.status === 'completed' ? amountRefundable(charge, refunds) : charge.amountReceived;
      if (amount > left) {
        const detail = `Part of the transfer ${transfer.id} has already been refunded with the charge ${charge.id}`;
        throw new DomainError('amount_exceeds_refundable', detail);
      }
      await receiveOnCharges(uow, [{ charge, received: -amount, message: null }], {
        actor: audit.actor,
        now,
      });
    }
    const moved = await transitionTransfer(uow, transfer, {
      to: 'exception',
      reason: 'unassigned',
      allocations: [{ chargeId, amount: -amount, reason: 'unassigned', note }],
      actor: audit.actor,
      now,
    });
    await recordAudit(uow, {
      ...owner,
      ...audit,
      action: 'transfer.unassigned',
      objectId: transfer.id,
      detail: {
        ...(chargeId !== null && { charge: chargeId }),
        amount: toDecimal({ minor: amount, currency: transfer.currency }),
        currency: transfer.currency,
      },
    });
    return moved;
  });
}

/** What the bank took back stays taken back. */
async function amountToTakeBack(tx: Tx, transfer: Transfer, chargeId: string | null): Promise<bigint> {
  const reversal = await tx.transfer.findFirst({ where: { reversesId: transfer.id }, select: { id: true } });
  const net = (await netByCharge(tx, transfer.id)).get(chargeId) ?? 0n;
  if (net > 0n && !reversal && transfer.direction === 'credit') return net;
  const from = chargeId === null ? 'has been returned' : `is allocated to the charge ${chargeId}`;
  throw new DomainError('transfer_already_allocated', `Nothing of the transfer ${transfer.id} ${from}`);
}
