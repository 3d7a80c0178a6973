import type { Charge, ReceivingAccount, Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { findNonces, foldReference } from '../../method/nonce.ts';
import { wasPaidInTime } from './paid-in-time.ts';
import type { ExceptionReason } from './transfer-state.ts';

export type Finding = { charge: Charge } | { reason: ExceptionReason };

/**
 * The charge a transfer pays for, found by the nonce in its reference and locked, or the reason why there is none. The
 * transfer counts by when it was paid: an expired charge is still found when that was in time, a pending one is not
 * when it was not.
 */
export async function findChargeForTransfer(
  tx: Tx,
  transfer: Transfer,
  account: ReceivingAccount,
): Promise<Finding> {
  if (transfer.currency !== account.currency) return { reason: 'wrong_currency' };
  const nonces = findNonces(foldReference(transfer.reference));
  if (nonces.length === 0) return { reason: 'no_nonce' };
  const charges = await lockNewestOfEachNonce(tx, account.id, nonces);
  if (charges.length === 0) return { reason: await reasonForStrangers(tx, transfer, nonces) };

  const open = charges.filter(
    (charge) => charge.status === 'pending' && wasPaidInTime(transfer, charge, account),
  );
  if (open.length > 1) return { reason: 'several_nonces' };
  if (open[0]) return { charge: open[0] };
  const missed = charges.filter(
    (charge) => charge.status === 'expired' && wasPaidInTime(transfer, charge, account),
  );
  if (missed.length > 1) return { reason: 'several_nonces' };
  if (missed[0]) return { charge: missed[0] };
  return { reason: reasonForClosed(charges[0]!) };
}

/** A nonce may have been used before, long ago: only its newest charge counts. Locked in the order of ids. */
async function lockNewestOfEachNonce(
  tx: Tx,
  receivingAccountId: string,
  nonces: string[],
): Promise<Charge[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE receiving_account_id = ${receivingAccountId} AND nonce = ANY(${nonces})
    ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({
    where: { id: { in: rows.map((row) => row.id) } },
    orderBy: { id: 'asc' },
  });
  return [...new Map(charges.map((charge) => [charge.nonce, charge])).values()];
}

async function reasonForStrangers(tx: Tx, transfer: Transfer, nonces: string[]): Promise<ExceptionReason> {
  const elsewhere = await tx.charge.findFirst({
    where: {
      receivingAccount: { merchantId: transfer.merchantId, mode: transfer.mode },
      nonce: { in: nonces },
    },
    select: { id: true },
  });
  return elsewhere ? 'wrong_account' : 'unknown_nonce';
}

function reasonForClosed(charge: Charge): ExceptionReason {
  if (charge.status === 'completed') return 'charge_completed';
  return charge.status === 'cancelled' ? 'charge_cancelled' : 'charge_expired';
}
