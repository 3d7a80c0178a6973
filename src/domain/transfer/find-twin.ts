import type { Transfer, TransferStatus } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { findNonces, foldReference } from '../../method/nonce.ts';
import type { ExceptionReason } from './transfer-state.ts';

/** Two sources may date one payment differently, by this much at most. */
const pairingWindowMs = 3 * 24 * 3_600_000;

export type Twin =
  | { status: Extract<TransferStatus, 'duplicate'>; sameAsId: string }
  | { status: Extract<TransferStatus, 'exception'>; reason: Extract<ExceptionReason, 'possible_duplicate'> };

/**
 * Whether another source (feed, statement, by hand) has already told of this money: same account, amount and currency,
 * within 3 days, not yet paired. With the same nonce in both references they are one, paired one to one. Without any
 * nonce nobody can tell: `possible_duplicate`. Undefined: it is new.
 */
export async function findTwin(tx: Tx, transfer: Transfer): Promise<Twin | undefined> {
  const paidAt = transfer.paidAt.getTime();
  const others = await tx.transfer.findMany({
    where: {
      receivingAccountId: transfer.receivingAccountId,
      source: { not: transfer.source },
      amount: transfer.amount,
      currency: transfer.currency,
      direction: transfer.direction,
      paidAt: { gte: new Date(paidAt - pairingWindowMs), lte: new Date(paidAt + pairingWindowMs) },
      status: { not: 'duplicate' },
    },
    orderBy: { id: 'asc' },
  });
  const unpaired = await withoutPairs(tx, others);
  const nonces = noncesOf(transfer);
  const twin = unpaired.find((other) => noncesOf(other).some((nonce) => nonces.includes(nonce)));
  if (twin) return { status: 'duplicate', sameAsId: twin.id };
  const alike = nonces.length === 0 && unpaired.some((other) => noncesOf(other).length === 0);
  return alike ? { status: 'exception', reason: 'possible_duplicate' } : undefined;
}

async function withoutPairs(tx: Tx, transfers: Transfer[]): Promise<Transfer[]> {
  if (transfers.length === 0) return [];
  const pairs = await tx.transfer.findMany({
    where: { sameAsId: { in: transfers.map((transfer) => transfer.id) } },
    select: { sameAsId: true },
  });
  const paired = new Set(pairs.map((pair) => pair.sameAsId));
  return transfers.filter((transfer) => !paired.has(transfer.id));
}

function noncesOf(transfer: { reference: string }): string[] {
  return findNonces(foldReference(transfer.reference));
}
