import type {
  ReceivingAccount,
  Transfer,
  TransferSource,
  TransferStatus,
} from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { localDate } from '../../kit/time-zone.ts';
import { findNonces, foldReference } from '../../method/nonce.ts';
import type { ExceptionReason } from './transfer-state.ts';

const dayMs = 24 * 3_600_000;
/** Two sources may date one payment differently, by so many days of the account's calendar at most. */
const pairingDays = 3;

export type Twin =
  | { status: Extract<TransferStatus, 'duplicate'>; sameAsId: string }
  | { status: Extract<TransferStatus, 'exception'>; reason: Extract<ExceptionReason, 'possible_duplicate'> };

/**
 * Whether another source (feed, statement, by hand) has already told of this money: same account, amount and currency,
 * within 3 days, not yet paired. With the same nonce in both references they are one, paired one to one. Without any
 * nonce nobody can tell: `possible_duplicate`. Undefined: it is new.
 */
export async function findTwin(
  tx: Tx,
  transfer: Transfer,
  account: ReceivingAccount,
): Promise<Twin | undefined> {
  const paidAt = transfer.paidAt.getTime();
  // Wide enough for any time zone; the days themselves are compared below.
  const windowMs = (pairingDays + 2) * dayMs;
  const others = await tx.transfer.findMany({
    where: {
      receivingAccountId: transfer.receivingAccountId,
      source: { not: transfer.source },
      amount: transfer.amount,
      currency: transfer.currency,
      direction: transfer.direction,
      paidAt: { gte: new Date(paidAt - windowMs), lte: new Date(paidAt + windowMs) },
      status: { not: 'duplicate' },
    },
    orderBy: { id: 'asc' },
  });
  const near = others.filter((other) => daysApart(transfer, other, account) <= pairingDays);
  const unpaired = await withoutPairs(tx, near, transfer.source);
  const nonces = noncesOf(transfer);
  const twin = unpaired.find((other) => noncesOf(other).some((nonce) => nonces.includes(nonce)));
  if (twin) return { status: 'duplicate', sameAsId: twin.id };
  const alike = nonces.length === 0 && unpaired.some((other) => noncesOf(other).length === 0);
  return alike ? { status: 'exception', reason: 'possible_duplicate' } : undefined;
}

/** Days between two payments by the account's calendar; a date without a time is that day. */
function daysApart(a: Transfer, b: Transfer, account: ReceivingAccount): number {
  const day = ({ paidAt, paidAtIsDate }: Transfer) =>
    Date.parse(paidAtIsDate ? paidAt.toISOString().slice(0, 10) : localDate(paidAt, account.timeZone));
  return Math.abs(day(a) - day(b)) / dayMs;
}

/** Those that no transfer of this source is the twin of yet: each source tells of a payment once. */
async function withoutPairs(tx: Tx, transfers: Transfer[], source: TransferSource): Promise<Transfer[]> {
  if (transfers.length === 0) return [];
  const pairs = await tx.transfer.findMany({
    where: { source, sameAsId: { in: transfers.map((transfer) => transfer.id) } },
    select: { sameAsId: true },
  });
  const paired = new Set(pairs.map((pair) => pair.sameAsId));
  return transfers.filter((transfer) => !paired.has(transfer.id));
}

/** The nonces that stand in a reference. */
export function noncesOf(transfer: { reference: string }): string[] {
  return findNonces(foldReference(transfer.reference));
}
