import type { Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Tx } from '../../../../kit/db.ts';
import type { MessageService } from '../../../../message/enqueue-message.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import { lockTransfers } from '../../../payments/allocation/lock-transfer.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { createDayConverter } from '../duplicates/match-duplicates.ts';
import { getReversedReference, type LockedContext } from '../record/draft-transfer.ts';
import { getCreditPeriod, matchReversal } from './match-reversal.ts';
import { reverseCredit } from './reverse-credit.ts';

/**
 * Reversals of unknown credits, and possible duplicates of reversals, that have not been reviewed yet. A
 * possible duplicate is matched only with the credit that it names.
 */
const unmatchedState = { direction: 'debit', status: 'exception' } as const;

/**
 * Finds the new credits that the bank has already reversed, because files may list the newest entries first.
 * Returns the locked reversal of each. A reversal belongs to the credit whose bank reference it names or, if
 * it names none, to an earlier credit with the same payment reference. If it has neither, it belongs to an
 * earlier credit with the same text.
 */
export async function findReversedCredits(
  tx: Tx,
  credits: readonly Transfer[],
  account: BankAccount,
): Promise<Map<Transfer, Transfer>> {
  const reversals = await readUnmatched(tx, credits, account);
  if (reversals.length === 0) return new Map();
  const toDay = createDayConverter(account.timeZone);
  const toComparable = (transfer: Transfer) => ({
    transfer,
    day: toDay(transfer),
    paymentReferences: getPaymentReferences(transfer),
    text: foldReference(transfer.reference),
  });
  const rows = credits
    .map(toComparable)
    .toSorted((a, b) => b.transfer.paidAt.getTime() - a.transfer.paidAt.getTime());
  const reversalByCredit = new Map<Transfer, Transfer>();
  for (const row of reversals.map(toComparable)) {
    const { transfer: reversal, paymentReferences, text } = row;
    const namedReference = getReversedReference(reversal);
    const candidates = rows.filter(
      ({ transfer }) => !reversalByCredit.has(transfer) && canReverse(reversal, transfer),
    );
    const earlier = candidates.filter((credit) => isBefore(credit, row));
    const isUnknown = reversal.reason === 'unknown_reversal';
    const canMatchText =
      isUnknown && paymentReferences.length === 0 && namedReference === undefined && text !== '';
    const match =
      candidates.find(({ transfer }) => transfer.bankReference === namedReference) ??
      earlier.find((credit) =>
        credit.paymentReferences.some((reference) => paymentReferences.includes(reference)),
      ) ??
      earlier.find((credit) => canMatchText && credit.text === text);
    if (match) reversalByCredit.set(match.transfer, reversal);
  }
  const lockedReversals = new Map(
    (await lockUnmatched(tx, [...reversalByCredit.values()])).map((reversal) => [reversal.id, reversal]),
  );
  return new Map(
    [...reversalByCredit].flatMap(([credit, { id }]) => {
      const reversal = lockedReversals.get(id);
      return reversal ? [[credit, reversal]] : [];
    }),
  );
}

/** Links each reversal to its credit, which has just been recorded. */
export async function settleReversals(
  uow: UnitOfWork,
  reversals: readonly { credit: Transfer; reversal: Transfer }[],
  { actor, now }: LockedContext,
): Promise<void> {
  for (const { credit, reversal } of reversals) {
    const change = { to: 'outgoing', reversalOfId: credit.id, allocations: [], actor, now } as const;
    await transitionTransfer(uow, reversal, change);
  }
}

/**
 * Settles the reversals that name the bank reference of a duplicate. Such a reversal belongs to the credit
 * that is duplicated.
 */
export async function settleNamedReversals(
  uow: UnitOfWork<MessageService>,
  duplicates: readonly Transfer[],
  context: LockedContext,
): Promise<void> {
  const { tx } = uow;
  const { account, actor, now } = context;
  const references = new Set(duplicates.map(({ bankReference }) => bankReference));
  const namedReversals = (await readUnmatched(tx, duplicates, account)).filter((reversal) => {
    const namedReference = getReversedReference(reversal);
    return namedReference !== undefined && references.has(namedReference);
  });
  for (const reversal of await lockUnmatched(tx, namedReversals)) {
    const match = await matchReversal(tx, reversal, { account, reference: getReversedReference(reversal) });
    if ('reason' in match) continue;
    if ('creditId' in match) await reverseCredit(uow, match.creditId, context);
    await transitionTransfer(uow, reversal, {
      ...('creditId' in match
        ? { to: 'outgoing' as const, reversalOfId: match.creditId }
        : { to: 'duplicate' as const, duplicateOfId: match.duplicateOfId }),
      allocations: [],
      actor,
      now,
    });
  }
}

/** Returns the unmatched reversals with the same amounts as the credits. */
async function readUnmatched(
  tx: Tx,
  credits: readonly Transfer[],
  { sharedIds }: BankAccount,
): Promise<Transfer[]> {
  const [first] = credits;
  if (!first) return [];
  const { merchantId, mode } = first;
  const receivingAccountId = { in: [...sharedIds] };
  const amounts = [...new Set(credits.map(({ amount }) => amount))];
  return tx.transfer.findMany({
    where: { merchantId, mode, receivingAccountId, ...unmatchedState, amount: { in: amounts } },
    orderBy: { id: 'asc' },
  });
}

/** Locks the reversals and returns those that are still unmatched. */
async function lockUnmatched(tx: Tx, reversals: readonly Transfer[]): Promise<Transfer[]> {
  const ids = reversals.map(({ id }) => id);
  const lockedReversals = await lockTransfers(tx, ids);
  return lockedReversals.filter(({ status }) => status === unmatchedState.status);
}

function canReverse(reversal: Transfer, credit: Transfer): boolean {
  const { from, until } = getCreditPeriod(reversal);
  const isInTime = from <= credit.paidAt && credit.paidAt <= until;
  return isInTime && credit.amount === reversal.amount && credit.currency === reversal.currency;
}

type DatedTransfer = { transfer: Transfer; day: number };

/**
 * Returns whether the credit was not paid after the reversal, because a customer may pay again after a
 * reversal. Compares only the days if one of the transfers has no time.
 */
function isBefore(credit: DatedTransfer, reversal: DatedTransfer): boolean {
  const [one, other] = [credit.transfer, reversal.transfer];
  if (one.isPaidAtDateOnly || other.isPaidAtDateOnly) return credit.day <= reversal.day;
  return one.paidAt <= other.paidAt;
}
