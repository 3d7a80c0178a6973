import type { ReceivingAccount, Transfer } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Tx } from '../../../kit/db.ts';
import { foldReference } from '../../../method/nonce.ts';
import { lockTransfers } from '../../payments/allocation/lock-transfer.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import { type Recording, referenceReversed } from './draft-transfer.ts';
import { findReversed, reversedBetween } from './find-reversed.ts';
import { daysIn } from './match-twins.ts';
import { takeBack } from './take-back.ts';

/** Until somebody has seen them. What may have been told of before waits for the credit alone that it names. */
const waiting = { direction: 'debit', status: 'exception' } as const;

/**
 * New credits that the bank has taken back already, each with the reversal, under a lock: files may list the newest
 * first. It names the credit's bank reference, or comes after it with the same nonce; one that names nothing and has no
 * nonce, with the same words.
 */
export async function findTakenBack(
  tx: Tx,
  credits: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Map<Transfer, Transfer>> {
  const reversals = await readWaiting(tx, credits);
  if (reversals.length === 0) return new Map();
  const dayOf = daysIn(account.timeZone);
  const read = (one: Transfer) => ({
    transfer: one,
    day: dayOf(one),
    nonces: noncesOf(one),
    words: foldReference(one.reference),
  });
  const rows = credits
    .map(read)
    .toSorted((a, b) => b.transfer.paidAt.getTime() - a.transfer.paidAt.getTime());
  const taken = new Map<Transfer, Transfer>();
  for (const row of reversals.map(read)) {
    const { transfer: reversal, nonces, words } = row;
    const name = referenceReversed(reversal);
    const left = rows.filter(({ transfer }) => !taken.has(transfer) && mayReverse(reversal, transfer));
    const before = left.filter((credit) => isBefore(credit, row));
    const isUnknown = reversal.reason === 'unknown_reversal';
    const isWorded = isUnknown && nonces.length === 0 && name === undefined && words !== '';
    const found =
      left.find(({ transfer }) => transfer.bankReference === name) ??
      before.find((credit) => credit.nonces.some((nonce) => nonces.includes(nonce))) ??
      before.find((credit) => isWorded && credit.words === words);
    if (found) taken.set(found.transfer, reversal);
  }
  const locked = new Map((await lockWaiting(tx, [...taken.values()])).map((one) => [one.id, one]));
  return new Map(
    [...taken].flatMap(([credit, { id }]) => {
      const reversal = locked.get(id);
      return reversal ? [[credit, reversal]] : [];
    }),
  );
}

/** Says of each reversal, once its credit is recorded, what it took back. */
export async function settleReversals(
  uow: UnitOfWork,
  taken: readonly { credit: Transfer; reversal: Transfer }[],
  { actor, now }: Recording,
): Promise<void> {
  for (const { credit, reversal } of taken) {
    const change = { to: 'outgoing', reversesId: credit.id, allocations: [], actor, now } as const;
    await transitionTransfer(uow, reversal, change);
  }
}

/** What another source has told of may have the bank reference that a reversal named: then that is the credit it meant. */
export async function takeBackNamed(
  uow: UnitOfWork,
  duplicates: readonly Transfer[],
  recording: Recording,
): Promise<void> {
  const { tx } = uow;
  const references = new Set(duplicates.map(({ bankReference }) => bankReference));
  const named = (await readWaiting(tx, duplicates)).filter((one) => {
    const name = referenceReversed(one);
    return name !== undefined && references.has(name);
  });
  const { account, actor, now } = recording;
  for (const reversal of await lockWaiting(tx, named)) {
    const found = await findReversed(tx, reversal, { account, reference: referenceReversed(reversal) });
    if ('reason' in found) continue;
    if ('creditId' in found) await takeBack(uow, found.creditId, recording);
    await transitionTransfer(uow, reversal, {
      ...('creditId' in found
        ? { to: 'outgoing' as const, reversesId: found.creditId }
        : { to: 'duplicate' as const, sameAsId: found.sameAsId }),
      allocations: [],
      actor,
      now,
    });
  }
}

/** Reversals of so much money that wait for their credit. */
async function readWaiting(tx: Tx, credits: readonly Transfer[]): Promise<Transfer[]> {
  const [first] = credits;
  if (!first) return [];
  const { merchantId, mode, receivingAccountId } = first;
  const amounts = [...new Set(credits.map(({ amount }) => amount))];
  return tx.transfer.findMany({
    where: { merchantId, mode, receivingAccountId, ...waiting, amount: { in: amounts } },
    orderBy: { id: 'asc' },
  });
}

/** Those that nobody has seen or paired meanwhile. */
async function lockWaiting(tx: Tx, reversals: readonly Transfer[]): Promise<Transfer[]> {
  const ids = reversals.map(({ id }) => id);
  const locked = await lockTransfers(tx, ids);
  return locked.filter(({ status }) => status === waiting.status);
}

function mayReverse(reversal: Transfer, credit: Transfer): boolean {
  const { from, until } = reversedBetween(reversal);
  const isInTime = from <= credit.paidAt && credit.paidAt <= until;
  return isInTime && credit.amount === reversal.amount && credit.currency === reversal.currency;
}

type Dated = { transfer: Transfer; day: number };

/** The customer may have paid again after a payment was taken back: by the day where the bank tells no more of both. */
function isBefore(credit: Dated, reversal: Dated): boolean {
  const [one, other] = [credit.transfer, reversal.transfer];
  if (one.paidAtIsDate || other.paidAtIsDate) return credit.day <= reversal.day;
  return one.paidAt <= other.paidAt;
}
