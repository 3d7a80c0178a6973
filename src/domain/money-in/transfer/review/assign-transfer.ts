import type { Charge, Merchant, Mode, Transfer } from '../../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import { DomainError, invalidInputError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { formatMoney, parseMoney, toDecimal } from '../../../../kit/money.ts';
import type { AllocationReason } from '../../../payments/allocation/insert-allocations.ts';
import {
  getUnallocatedAmount,
  lockTransfer,
  requireExceptionStatus,
} from '../../../payments/allocation/lock-transfer.ts';
import { keepAsException, parseNote } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { getAmountPaid } from '../../../payments/charge/charge-state.ts';
import { cancelChargeBatch } from '../../../payments/charge/end-charge-batch.ts';
import { findReplacements } from '../../../payments/charge/find-replacements.ts';
import { lockCharge } from '../../../payments/charge/lock-charge.ts';
import type { ChargeChange } from '../../../payments/charge/update-charges.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { applyToCharges } from '../matching/apply-to-charges.ts';
import { getSettledStatus } from '../net-allocations.ts';

export type Assignment = {
  transferId: string;
  parts: readonly AssignmentPart[];
  /** Completes each charge even if its amount is short. */
  acceptShortfall?: boolean | null | undefined;
  note?: string | null | undefined;
};

/**
 * Applies an unmatched transfer to one or several charges that the merchant chose. A charge that receives
 * enough is completed, with the usual notifications, even if it was expired or cancelled. Its price is enough,
 * without what was added to make its amount unique. A shortfall is a part payment unless the merchant accepts
 * it; money for a completed charge is an overpayment. The unallocated rest of the transfer stays an exception.
 * Errors: `transfer_not_found`, `charge_not_found`, `transfer_already_allocated`, `amount_out_of_range`,
 * `currency_unsupported`, `invalid_request`.
 */
export async function assignTransfer(
  service: Service,
  options: { merchant: Merchant; mode: Mode; assignment: Assignment; audit: AuditContext; now: Date },
): Promise<{ transfer: Transfer; charges: Charge[] }> {
  const { merchant, mode, assignment, audit, now } = options;
  const scope = { merchantId: merchant.id, mode };
  const note = parseNote(assignment.note);
  const acceptShortfall = assignment.acceptShortfall === true;
  checkParts(assignment.parts);
  return transact(service, async (uow) => {
    const { tx } = uow;
    const charges = await lockCharges(tx, scope, assignment.parts);
    const transfer = await lockTransfer(tx, { ...scope, id: assignment.transferId });
    requireExceptionStatus(transfer);
    const parts = resolveParts(transfer, assignment.parts, charges);
    const change = { actor: audit.actor, now };
    const payments = parts.map((part) => ({
      ...part,
      acceptShortfall: acceptShortfall || coversPrice(part),
    }));
    const results = await applyToCharges(uow, payments, {
      ...change,
      systemNow: audit.now,
      tolerance: merchant.underpaymentTolerance,
      feeRule: await tx.receivingAccount.findUniqueOrThrow({ where: { id: transfer.receivingAccountId } }),
    });
    const ids = parts.map(({ charge }) => charge.id);
    await cancelReplacements(uow, parts, change);
    const total = parts.reduce((sum, { amount }) => sum + amount, 0n);
    const isSettled = total === getUnallocatedAmount(transfer);
    const updated = await transitionTransfer(uow, transfer, {
      ...change,
      ...(isSettled ? { to: await getSettledStatus(tx, transfer, ids) } : keepAsException(transfer)),
      allocations: parts.map(({ charge, amount }) => {
        const { status, fee } = results.get(charge.id)!;
        const paid = getAmountPaid(charge) + amount + fee;
        const isShort = acceptShortfall && status === 'matched' && paid < charge.customerAmount;
        const reason: AllocationReason = isShort ? 'shortfall_accepted' : 'assigned';
        return { chargeId: charge.id, amount, feeAmount: fee, note, reason };
      }),
    });
    const { currency } = transfer;
    const detail = { charges: ids, amount: toDecimal({ minor: total, currency }), currency };
    await recordAudit(uow, {
      ...scope,
      ...audit,
      action: 'transfer.assigned',
      objectId: transfer.id,
      detail,
    });
    const rows = await tx.charge.findMany({ where: { id: { in: ids } } });
    return { transfer: updated, charges: ids.map((id) => rows.find((row) => row.id === id) as Charge) };
  });
}

/** Returns whether the charge receives its price. Customers often overlook what makes the amount unique. */
function coversPrice({ charge, amount }: { charge: Charge; amount: bigint }): boolean {
  return (
    charge.amountOffset !== null &&
    charge.amountReceived + amount >= charge.customerAmount - charge.amountOffset
  );
}

/**
 * Cancels the open, unpaid charges that replaced the assigned ones: the customer has paid, and must not pay again.
 */
async function cancelReplacements(
  uow: UnitOfWork<Service>,
  parts: readonly { charge: Charge }[],
  change: ChargeChange,
): Promise<void> {
  const endedIds = parts.flatMap(({ charge }) =>
    charge.status === 'cancelled' || charge.status === 'expired' ? charge.id : [],
  );
  const replacementIds = [...(await findReplacements(uow, endedIds)).values()].flat();
  if (replacementIds.length === 0) return;
  const openIds = await uow.tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE id = ANY(${replacementIds}) AND status = 'pending' AND amount_received = 0
    ORDER BY id FOR UPDATE`;
  const openCharges = await uow.tx.charge.findMany({ where: { id: { in: openIds.map(({ id }) => id) } } });
  const assignedIds = new Set(parts.map(({ charge }) => charge.id));
  const unpaidCharges = openCharges.filter(({ id }) => !assignedIds.has(id));
  await cancelChargeBatch(uow, unpaidCharges, change);
}

/** `amount` is in major units. One part may omit it; that part receives the unallocated rest. */
type AssignmentPart = { chargeId: string; amount?: number | string | null | undefined };

const partsMax = 50;

function checkParts(parts: readonly AssignmentPart[]): void {
  if (parts.length < 1 || parts.length > partsMax)
    throw invalidInputError('/parts', `must have 1 to ${partsMax} parts`);
  if (new Set(parts.map(({ chargeId }) => chargeId)).size < parts.length)
    throw invalidInputError('/parts', 'must not contain the same charge twice');
  if (parts.filter(({ amount }) => amount == null).length > 1)
    throw invalidInputError('/parts', 'must not omit the amount in more than one part');
}

/** Locks the charges in the order of IDs, like every operation that locks several charges. */
async function lockCharges(
  tx: Tx,
  scope: MerchantScope,
  parts: readonly AssignmentPart[],
): Promise<Map<string, Charge>> {
  const charges = new Map<string, Charge>();
  for (const id of parts.map(({ chargeId }) => chargeId).sort())
    charges.set(id, await lockCharge(tx, { ...scope, id }));
  return charges;
}

/** Returns the amount for each charge. */
function resolveParts(
  transfer: Transfer,
  parts: readonly AssignmentPart[],
  charges: ReadonlyMap<string, Charge>,
): { charge: Charge; amount: bigint }[] {
  const { currency } = transfer;
  const unallocatedAmount = getUnallocatedAmount(transfer);
  const amounts = parts.map(({ amount }, i) =>
    amount == null ? null : parseMoney(amount, currency, `/parts/${i}/amount`).minor,
  );
  const remainingAmount = amounts.reduce<bigint>((left, amount) => left - (amount ?? 0n), unallocatedAmount);
  if (remainingAmount < 0n || (remainingAmount === 0n && amounts.includes(null))) {
    const left = formatMoney({ minor: unallocatedAmount, currency });
    throw new DomainError(
      'amount_out_of_range',
      `Only ${left} of the transfer ${transfer.id} is unallocated`,
    );
  }
  return parts.map(({ chargeId }, i) => {
    const charge = charges.get(chargeId) as Charge;
    if (charge.customerCurrency !== currency) {
      const detail = `The charge ${charge.id} is in ${charge.customerCurrency}, but the transfer is in ${currency}`;
      throw new DomainError('currency_unsupported', detail);
    }
    return { charge, amount: amounts[i] ?? remainingAmount };
  });
}
