import type { Allocation, Charge, Transfer, TransferStatus } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { Decimal } from '../../kit/decimal.ts';
import { newId } from '../../kit/id.ts';
import { recordChargeEvent, transitionCharge } from '../charge/transition-charge.ts';

/**
 * Counts a transfer for a charge that the caller has locked: completes it when the parts reach the amount asked (or the
 * shortfall is within the merchant's tolerance), else a part payment. Answers what the transfer has become.
 */
export async function allocateTransfer(
  tx: Tx,
  options: { transfer: Transfer; charge: Charge; tolerance: Decimal; actor: string; now: Date },
): Promise<TransferStatus> {
  const { transfer, charge, actor, now } = options;
  await recordAllocation(tx, transfer, {
    chargeId: charge.id,
    amount: transfer.amount,
    actor,
    reason: 'matched',
    now,
  });
  const received = charge.amountReceived + transfer.amount;
  if (!isEnough(charge, received, options.tolerance)) {
    await recordPartPayment(tx, charge, options);
    return 'partial';
  }
  const completed = await transitionCharge(tx, charge, 'completed', {
    now,
    actor,
    completedBy: 'transfer',
    received: transfer.amount,
  });
  if (received <= charge.customerAmount) return 'matched';
  await recordChargeEvent(tx, await nextVersion(tx, completed), 'charge_overpaid', { now, actor });
  return 'over';
}

/** One append-only row that says what part of a transfer counts for what. */
export async function recordAllocation(
  tx: Tx,
  transfer: Transfer,
  input: { chargeId: string | null; amount: bigint; actor: string; reason: string; now: Date },
): Promise<Allocation> {
  const { now, ...fields } = input;
  const { merchantId, mode } = transfer;
  await tx.transfer.update({
    where: { id: transfer.id },
    data: { allocated: { increment: input.amount } },
  });
  return tx.allocation.create({
    data: {
      id: newId('allocation', now),
      merchantId,
      mode,
      transferId: transfer.id,
      ...fields,
      createdAt: now,
    },
  });
}

/** Whether an amount completes the charge; the tolerated shortfall is rounded down to a minor unit. */
export function isEnough(charge: Charge, received: bigint, tolerance: Decimal): boolean {
  const shortfall = new Decimal(charge.customerAmount.toString())
    .mul(tolerance)
    .toFixed(0, Decimal.ROUND_DOWN);
  return received >= charge.customerAmount - BigInt(shortfall);
}

async function recordPartPayment(
  tx: Tx,
  charge: Charge,
  options: { transfer: Transfer; actor: string; now: Date },
): Promise<void> {
  const updated = await tx.charge.update({
    where: { id: charge.id },
    data: {
      amountReceived: { increment: options.transfer.amount },
      version: { increment: 1 },
      updatedAt: options.now,
    },
  });
  await recordChargeEvent(tx, updated, 'charge_part_paid', options);
}

function nextVersion(tx: Tx, charge: Charge): Promise<Charge> {
  return tx.charge.update({ where: { id: charge.id }, data: { version: { increment: 1 } } });
}
