import type { Charge, ReceivingAccount, Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { foldReference, hasWrongCheckLetter } from '../../../../method/payment-reference.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import { isPaidInTime } from '../../../payments/allocation/is-paid-in-time.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { type ChargeMatch, findChargesByAmount } from './find-charges-by-amount.ts';
import { findSimilarCharges, rejectAmbiguous } from './similar-charges.ts';
import { findUndoneCharges } from './undone-payments.ts';

/**
 * Finds and locks the charge that each transfer pays, or returns the reason why there is none. The charge is
 * found by the payment reference or, if the text contains no reference of a charge, by a unique amount. The
 * payment date decides: an expired charge matches if the payment was in time, and a pending charge does not
 * match if the payment was late. A completed charge matches if its payment was undone with its statement. The
 * transfers must not share a payment reference.
 */
export async function findPaidCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<ReadonlyMap<Transfer, ChargeMatch>> {
  const paymentReferences = transfers.flatMap(getPaymentReferences);
  const charges = await lockNewestCharges(tx, account.id, paymentReferences);
  const replacedIds = await findReplacedIds(tx, [...charges.values()]);
  const unknownReferences = paymentReferences.filter((reference) => !charges.has(reference));
  const undoneIds = await findUndoneCharges(tx, [...charges.values()]);
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
  account: ReceivingAccount,
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
  }: { account: ReceivingAccount; undoneIds: ReadonlySet<string>; replacedIds: ReadonlySet<string> },
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
 * Returns the expired charges that were replaced. They are not completed automatically, because the customer may
 * also pay the new charge.
 */
async function findReplacedIds(tx: Tx, charges: readonly Charge[]): Promise<Set<string>> {
  const expiredIds = charges.filter(({ status }) => status === 'expired').map(({ id }) => id);
  if (expiredIds.length === 0) return new Set();
  const replacements = await tx.charge.findMany({
    where: { replacesId: { in: expiredIds } },
    select: { replacesId: true },
  });
  return new Set(replacements.map(({ replacesId }) => replacesId!));
}

/**
 * Locks the charges with these payment references, in the order of IDs. Returns the newest charge of each
 * payment reference, because references are reused.
 */
async function lockNewestCharges(
  tx: Tx,
  receivingAccountId: string,
  paymentReferences: readonly string[],
): Promise<Map<string, Charge>> {
  if (paymentReferences.length === 0) return new Map();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge WHERE receiving_account_id = ${receivingAccountId} AND payment_reference = ANY(${paymentReferences})
    ORDER BY id FOR UPDATE`;
  const charges = await tx.charge.findMany({
    where: { id: { in: rows.map((row) => row.id) } },
    orderBy: { id: 'asc' },
  });
  return new Map(charges.map((charge) => [charge.paymentReference, charge]));
}

/** Returns the payment references that belong to charges on other accounts of the merchant. */
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
