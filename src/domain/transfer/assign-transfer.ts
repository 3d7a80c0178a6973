import type { Charge, Merchant, Mode, Transfer } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import { toDecimal } from '../../kit/money.ts';
import { type AuditContext, recordAudit } from '../audit/record-audit.ts';
import type { Service } from '../service.ts';
import { type AssignmentPart, checkParts, lockCharges, readParts } from './assignment-parts.ts';
import { countForCharges } from './count-for-charges.ts';
import type { AllocationReason } from './insert-allocations.ts';
import { amountOpen, lockTransfer, requireException } from './lock-transfer.ts';
import { parseNote, stillOpen } from './transfer-state.ts';
import { transitionTransfer } from './transition-transfer.ts';
import { settledStatus } from './where-it-went.ts';

export type Assignment = {
  transferId: string;
  parts: readonly AssignmentPart[];
  /** Less than asked is taken as payment in full. */
  acceptShortfall?: boolean | null | undefined;
  note?: string | null | undefined;
};

/**
 * Counts an exception for one or several charges, as the merchant decides: a charge completes when that makes enough
 * (an expired or cancelled one too, and notifies as usual) or when the shortfall is accepted, else it is a part
 * payment; on a completed charge it is an excess. What is left over stays an exception. Errors: `transfer_not_found`,
 * `charge_not_found`, `transfer_already_allocated`, `amount_out_of_range`, `invalid_request`.
 */
export async function assignTransfer(
  service: Service,
  options: { merchant: Merchant; mode: Mode; assignment: Assignment; audit: AuditContext; now: Date },
): Promise<{ transfer: Transfer; charges: Charge[] }> {
  const { merchant, mode, assignment, audit, now } = options;
  const owner = { merchantId: merchant.id, mode };
  const note = parseNote(assignment.note);
  const acceptShortfall = assignment.acceptShortfall === true;
  checkParts(assignment.parts);
  return transact(service, async (uow) => {
    const { tx } = uow;
    const charges = await lockCharges(tx, owner, assignment.parts);
    const transfer = await lockTransfer(tx, { ...owner, id: assignment.transferId });
    requireException(transfer);
    const parts = readParts(transfer, assignment.parts, charges);
    const change = { actor: audit.actor, now };
    const counts = parts.map((part) => ({ ...part, acceptShortfall }));
    const tolerance = merchant.underpaymentTolerance;
    const counted = await countForCharges(uow, counts, { ...change, tolerance });
    const ids = parts.map(({ charge }) => charge.id);
    const total = parts.reduce((sum, { amount }) => sum + amount, 0n);
    const isSettled = total === amountOpen(transfer);
    const moved = await transitionTransfer(uow, transfer, {
      ...change,
      ...(isSettled ? { to: await settledStatus(tx, transfer, ids) } : stillOpen(transfer)),
      allocations: parts.map(({ charge, amount }, i) => {
        const received = charge.amountReceived + amount;
        const isShort = acceptShortfall && counted[i] === 'matched' && received < charge.customerAmount;
        const reason: AllocationReason = isShort ? 'shortfall_accepted' : 'assigned';
        return { chargeId: charge.id, amount, note, reason };
      }),
    });
    const { currency } = transfer;
    const detail = { charges: ids, amount: toDecimal({ minor: total, currency }), currency };
    await recordAudit(uow, {
      ...owner,
      ...audit,
      action: 'transfer.assigned',
      objectId: transfer.id,
      detail,
    });
    const rows = await tx.charge.findMany({ where: { id: { in: ids } } });
    return { transfer: moved, charges: ids.map((id) => rows.find((row) => row.id === id) as Charge) };
  });
}
