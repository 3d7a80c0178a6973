import type { Charge, ReceivingAccount, Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { foldReference, hasWrongCheckLetter } from '../../../../method/payment-reference.ts';
import { getReferenceDistance } from '../../../../method/reference-distance.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import {
  getPaymentReferences,
  getSimilarReferences,
} from '../../../payments/allocation/get-payment-references.ts';
import { isPaidInTime } from '../../../payments/allocation/is-paid-in-time.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { findReplacedIds } from '../../../payments/charge/find-replacements.ts';
import { type ChargeMatch, findChargesByAmount } from './find-charges-by-amount.ts';
import { findUndoneCharges } from './undone-payments.ts';

/**
 * Finds and locks the charge that each transfer pays, or returns the reason why there is none. The charge may belong
 * to any receiving account that is the same bank account. It is found by the payment reference or, if the text contains
 * no reference of a charge, by a unique amount. The payment date decides: an expired charge matches if the payment was
 * in time, and a pending charge does not match if the payment was late. A completed charge matches if its payment was
 * undone with its statement. The transfers must not share a payment reference.
 */
export async function findPaidCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: BankAccount,
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const paymentReferences = transfers.flatMap(getPaymentReferences);
  const charges = await lockNewestCharges(tx, account, paymentReferences);
  const allCharges = [...charges.values()].flat();
  const replacedIds = await findReplacedIds(tx, allCharges);
  const unknownReferences = paymentReferences.filter((reference) => !charges.has(reference));
  const undoneIds = await findUndoneCharges(tx, allCharges);
  const otherAccountReferences = await findOtherAccountReferences(tx, account, unknownReferences);
  const match = (transfer: Transfer): ChargeMatch => {
    if (transfer.currency !== account.currency) return { reason: 'wrong_currency' };
    const references = getPaymentReferences(transfer);
    const namedCharges = references.flatMap((reference) => charges.get(reference) ?? []);
    if (namedCharges.length > 0)
      return pickChargePaidInTime(transfer, namedCharges, { account, undoneIds, replacedIds });
    if (references.some((reference) => otherAccountReferences.has(reference)))
      return { reason: 'wrong_account' };
    return { reason: references.length > 0 ? 'unknown_reference' : 'missing_reference' };
  };
  const matches = new Map(transfers.map((transfer) => [transfer, match(transfer)]));
  return matchByAmount(tx, await rejectAmbiguous(tx, matches, account), account);
}

/**
 * Matches transfers whose text contains no reference of a charge by their amount, even if a remark looks like
 * a reference by accident. If the text contains the reference of a charge with a typing error, only that
 * charge can match.
 */
async function matchByAmount(
  tx: Tx,
  matches: ReadonlyMap<Transfer, ChargeMatch>,
  account: BankAccount,
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const undecided = [...matches].filter(([, match]) => isWithoutCharge(match)).map(([transfer]) => transfer);
  const similarCharges = await findSimilarCharges(tx, undecided, account);
  const matchedCharges = [...matches.values()].flatMap((match) => ('charge' in match ? match.charge : []));
  const amountMatches = await findChargesByAmount(tx, undecided, { account, matchedCharges, similarCharges });
  const result = new Map(matches);
  for (const transfer of undecided) {
    const amountMatch = amountMatches.get(transfer);
    const isMistyped = similarCharges.has(transfer) || hasWrongCheckLetter(foldReference(transfer.reference));
    if (amountMatch) result.set(transfer, amountMatch);
    else if (isMistyped) result.set(transfer, { reason: 'mistyped_reference' });
  }
  return result;
}

function isWithoutCharge(match: ChargeMatch): boolean {
  return 'reason' in match && ['missing_reference', 'unknown_reference'].includes(match.reason);
}

function pickChargePaidInTime(
  transfer: Transfer,
  candidates: Charge[],
  {
    account,
    undoneIds,
    replacedIds,
  }: { account: BankAccount; undoneIds: ReadonlySet<string>; replacedIds: ReadonlySet<string> },
): ChargeMatch {
  const inTime = candidates.filter((charge) => isPaidInTime(transfer, charge, account));
  const unpaid = inTime.filter(({ id, status }) => status === 'pending' || undoneIds.has(id));
  const expired = inTime.filter(({ id, status }) => status === 'expired' && !replacedIds.has(id));
  for (const payableCharges of [unpaid, expired]) {
    if (payableCharges.length > 1) return { reason: 'multiple_references' };
    if (payableCharges[0]) return { charge: payableCharges[0] };
  }
  const namedCharge = candidates[0]!;
  return { reason: getClosedReason(namedCharge), namedCharge };
}

/**
 * Locks the charges of the bank account with these payment references, in the order of IDs. Returns the newest charge
 * of each payment reference and receiving account, because references are reused.
 */
async function lockNewestCharges(
  tx: Tx,
  { sharedIds }: BankAccount,
  paymentReferences: readonly string[],
): Promise<Map<string, Charge[]>> {
  if (paymentReferences.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE receiving_account_id = ANY(${sharedIds}) AND payment_reference = ANY(${paymentReferences})
    ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({
    where: { id: { in: rows.map((row) => row.id) } },
    orderBy: { id: 'asc' },
  });
  const newest = new Map(
    charges.map((charge) => [`${charge.paymentReference} ${charge.receivingAccountId}`, charge]),
  );
  return Map.groupBy(newest.values(), ({ paymentReference }) => paymentReference);
}

/** Returns the payment references that belong to charges on other bank accounts of the merchant. */
async function findOtherAccountReferences(
  tx: Tx,
  { merchantId, mode }: ReceivingAccount,
  paymentReferences: readonly string[],
): Promise<Set<string>> {
  if (paymentReferences.length === 0) return new Set();
  const charges = await tx.charge.findMany({
    where: { receivingAccount: { merchantId, mode }, paymentReference: { in: [...paymentReferences] } },
    select: { paymentReference: true },
  });
  return new Set(charges.map(({ paymentReference }) => paymentReference));
}

function getClosedReason(charge: Charge): ExceptionReason {
  if (charge.status === 'completed') return 'charge_completed';
  return charge.status === 'cancelled' ? 'charge_cancelled' : 'charge_expired';
}

/**
 * Returns, for each transfer whose text contains the reference of charges of the bank account with one typing error,
 * the IDs of these charges.
 */
async function findSimilarCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: BankAccount,
): Promise<Map<Transfer, Set<string>>> {
  const references = new Map(transfers.map((transfer) => [transfer, getSimilarReferences(transfer)]));
  const allReferences = [...new Set([...references.values()].flat())];
  if (allReferences.length === 0) return new Map();
  const charges = await tx.charge.findMany({
    where: { receivingAccountId: { in: [...account.sharedIds] }, paymentReference: { in: allReferences } },
    select: { id: true, paymentReference: true },
  });
  const entries = transfers.map((transfer) => {
    const similar = charges.filter((charge) => references.get(transfer)?.includes(charge.paymentReference));
    return [transfer, new Set(similar.map(({ id }) => id))] as const;
  });
  return new Map(entries.filter(([, ids]) => ids.size > 0));
}

/** Two typing errors may turn a payment reference into another valid one. */
const ambiguousDistanceMax = 2;
/** How many days before the payment a charge with exactly the amount may have been created, and how many after. */
const ambiguousDays = { before: 14, after: 1 };
const candidatesMax = 5_000;

/**
 * Replaces a match with the exception `ambiguous_reference` if the amount differs from that of its charge, and
 * another payable charge has exactly the amount and a reference that is at most two typing errors away, because
 * the payer may have meant either charge. The transfers are in the order of recording.
 */
async function rejectAmbiguous(
  tx: Tx,
  matches: ReadonlyMap<Transfer, ChargeMatch>,
  account: BankAccount,
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const differing = [...matches.keys()].filter((transfer) => isOtherAmount(transfer, matches.get(transfer)!));
  const candidates = await findPayableByAmount(tx, differing, account);
  const completedIds = new Set<string>();
  const check = (transfer: Transfer, match: ChargeMatch): ChargeMatch => {
    if ('reason' in match) return match;
    const folded = foldReference(transfer.reference);
    const isAmbiguous = (candidates.get(transfer) ?? []).some(
      (other) =>
        other.id !== match.charge.id &&
        !completedIds.has(other.id) &&
        isPaidInTime(transfer, other, account) &&
        getReferenceDistance(folded, other.paymentReference) <= ambiguousDistanceMax,
    );
    if (isAmbiguous) return { reason: 'ambiguous_reference' };
    // A later transfer finds the charge completed, as if the transfers were recorded one at a time.
    if (transfer.amount >= match.charge.customerAmount - match.charge.amountReceived)
      completedIds.add(match.charge.id);
    return match;
  };
  return new Map([...matches].map(([transfer, match]) => [transfer, check(transfer, match)]));
}

function isOtherAmount({ amount }: Transfer, match: ChargeMatch): boolean {
  if ('reason' in match) return false;
  const { customerAmount, amountReceived } = match.charge;
  return amount !== customerAmount && amount !== customerAmount - amountReceived;
}

type Candidate = Pick<Charge, 'id' | 'paymentReference' | 'expiresAt'>;

/** Returns the payable charges of the bank account with exactly the amount and with a part of a reference in common. */
async function findPayableByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  account: BankAccount,
): Promise<Map<Transfer, Candidate[]>> {
  if (transfers.length === 0) return new Map();
  const from = ({ paidAt }: Transfer) => new Date(paidAt.getTime() - ambiguousDays.before * dayMs);
  const until = ({ paidAt }: Transfer) => new Date(paidAt.getTime() + ambiguousDays.after * dayMs);
  // Two errors leave at least one of three parts of a reference intact.
  const rows = await tx.$queryRaw<(Candidate & { at: bigint })[]>`
    SELECT item.at, charge.id, charge.payment_reference AS "paymentReference", charge.expires_at AS "expiresAt"
    FROM unnest(${transfers.map(({ amount }) => String(amount))}::bigint[], ${transfers.map(from)}::timestamptz[],
      ${transfers.map(until)}::timestamptz[], ${transfers.map(({ reference }) => foldReference(reference))}::text[])
      WITH ORDINALITY AS item (amount, since, until, folded, at)
    CROSS JOIN LATERAL (
      SELECT id, payment_reference, expires_at FROM charge
      WHERE receiving_account_id = ANY(${account.sharedIds}) AND customer_amount = item.amount AND status <> 'completed'
        AND status <> 'cancelled' AND created_at BETWEEN item.since AND item.until
        AND (strpos(item.folded, left(payment_reference, 4)) > 0
          OR strpos(item.folded, substr(payment_reference, 5, 3)) > 0 OR strpos(item.folded, right(payment_reference, 3)) > 0)
      ORDER BY created_at DESC LIMIT ${candidatesMax}) charge
    ORDER BY item.at, charge.id`;
  const groups = Map.groupBy(rows, ({ at }) => Number(at) - 1);
  return new Map([...groups].map(([i, group]) => [transfers[i]!, group]));
}
