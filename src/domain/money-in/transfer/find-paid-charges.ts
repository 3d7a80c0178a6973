import type { Charge, ReceivingAccount, Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs, minuteMs } from '../../../kit/duration.ts';
import { createDateFormatter } from '../../../kit/time-zone.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import { isPaidInTime } from '../../payments/allocation/is-paid-in-time.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';
import { findUndoneCharges } from './undone-payments.ts';

export type ChargeMatch = { charge: Charge } | { reason: ExceptionReason };

/**
 * Finds and locks the charge that each transfer pays, or returns the reason why there is none. The charge is
 * found by the payment reference or, if the transfer has none, by a unique amount. The payment date decides:
 * an expired charge matches if the payment was in time, and a pending charge does not match if the payment
 * was late. A completed charge matches if its payment was undone with its statement. The transfers must not share a payment reference.
 */
export async function findPaidCharges(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<ChargeMatch[]> {
  const paymentReferences = transfers.flatMap(getPaymentReferences);
  const charges = await lockNewestCharges(tx, account.id, paymentReferences);
  const unknownReferences = paymentReferences.filter((reference) => !charges.has(reference));
  const undoneIds = await findUndoneCharges(tx, [...charges.values()]);
  const otherAccountReferences = await findOtherAccountReferences(tx, account, unknownReferences);
  const matches = transfers.map((transfer): ChargeMatch => {
    if (transfer.currency !== account.currency) return { reason: 'wrong_currency' };
    const references = getPaymentReferences(transfer);
    if (references.length === 0) return { reason: 'missing_reference' };
    const namedCharges = references.flatMap((reference) => charges.get(reference) ?? []);
    if (namedCharges.length > 0) return pickChargePaidInTime(transfer, namedCharges, { account, undoneIds });
    return {
      reason: references.some((reference) => otherAccountReferences.has(reference))
        ? 'wrong_account'
        : 'unknown_reference',
    };
  });
  return matchByAmount(tx, { transfers, matches, account });
}

async function matchByAmount(
  tx: Tx,
  options: { transfers: readonly Transfer[]; matches: readonly ChargeMatch[]; account: ReceivingAccount },
): Promise<ChargeMatch[]> {
  const { transfers, matches, account } = options;
  const withoutReference = transfers.filter((_, i) => hasNoReference(matches[i]));
  const matchedCharges = matches.flatMap((match) => ('charge' in match ? match.charge : []));
  const amountMatches = await findChargesByAmount(tx, withoutReference, { account, matchedCharges });
  return matches.map((match) => (hasNoReference(match) ? (amountMatches.shift() ?? match) : match));
}

function hasNoReference(match: ChargeMatch | undefined): boolean {
  return match !== undefined && 'reason' in match && match.reason === 'missing_reference';
}

function pickChargePaidInTime(
  transfer: Transfer,
  candidates: Charge[],
  { account, undoneIds }: { account: ReceivingAccount; undoneIds: ReadonlySet<string> },
): ChargeMatch {
  const inTime = candidates.filter((charge) => isPaidInTime(transfer, charge, account));
  for (const status of ['pending', 'expired'] as const) {
    const payableCharges = inTime.filter((charge) => charge.status === status);
    if (payableCharges.length > 1) return { reason: 'multiple_references' };
    if (payableCharges[0]) return { charge: payableCharges[0] };
  }
  const undoneCharge = inTime.find(({ id }) => undoneIds.has(id));
  if (undoneCharge) return { charge: undoneCharge };
  return { reason: getClosedReason(candidates[0]!) };
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

/** Undefined if no charge with a unique amount matches. */
type AmountMatch = { charge: Charge } | { reason: ExceptionReason } | undefined;

/**
 * Finds and locks the charges that transfers without a payment reference pay, by their amount. A charge
 * matches only if its amount is unique, the charge was open when the transfer was paid, and no other charge
 * of the account for the same amount was open then. Otherwise returns why the transfer is not matched
 * automatically. A transfer with only a date may match several charges; the merchant then decides.
 * `matchedCharges` are the charges that other transfers of the same batch pay.
 */
export async function findChargesByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  { account, matchedCharges }: { account: ReceivingAccount; matchedCharges: readonly Charge[] },
): Promise<AmountMatch[]> {
  const charges = await lockChargesByAmount(tx, transfers, account);
  const undoneIds = await findUndoneCharges(tx, charges);
  const matchedIds = new Set(matchedCharges.map(({ id }) => id));
  const toDate = createDateFormatter(account.timeZone);
  const windows = Map.groupBy(
    charges.map((charge) => ({ charge, from: toDate(charge.createdAt), until: toDate(charge.expiresAt) })),
    ({ charge }) => charge.customerAmount,
  );
  return transfers.map((transfer) => {
    const candidates = (windows.get(transfer.amount) ?? [])
      .filter((window) => wasOpenAt(transfer, window))
      .map(({ charge }) => charge);
    if (!candidates.some(({ amountOffset }) => amountOffset !== null)) return undefined;
    const [charge, another] = candidates;
    if (!charge || another) return { reason: 'multiple_charges' };
    // The exact amount completes the charge, so the next transfer finds it completed.
    const isPaid = charge.status === 'completed' && !undoneIds.has(charge.id);
    if (matchedIds.has(charge.id) || isPaid) return { reason: 'charge_completed' };
    if (charge.status === 'cancelled') return { reason: 'charge_cancelled' };
    matchedIds.add(charge.id);
    return { charge };
  });
}

/**
 * Locks and returns the charges with a unique amount that may have been open when the transfers were paid.
 * Also returns other charges with the same amounts.
 */
async function lockChargesByAmount(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<Charge[]> {
  if (transfers.length === 0) return [];
  const amounts = [...new Set(transfers.map(({ amount }) => String(amount)))];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // The range is wide enough for a date in any time zone; the windows are compared later.
  const [since, until] = [new Date(Math.min(...times) - 2 * dayMs), new Date(Math.max(...times) + 2 * dayMs)];
  const uniqueCharges = await tx.$queryRaw<{ id: string; amount: bigint }[]>`
    SELECT id, customer_amount AS amount FROM charge
    WHERE receiving_account_id = ${account.id} AND customer_amount = ANY(${amounts}::bigint[])
      AND amount_offset IS NOT NULL AND expires_at >= ${since} AND created_at <= ${until}
    ORDER BY id FOR UPDATE`;
  if (uniqueCharges.length === 0) return [];
  const sameAmountCharges = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM charge
    WHERE receiving_account_id = ${account.id} AND customer_amount = ANY(${uniqueCharges.map(({ amount }) => String(amount))}::bigint[])
      AND amount_offset IS NULL AND status <> 'completed' AND created_at <= ${until} AND expires_at >= ${since}`;
  const ids = [...uniqueCharges, ...sameAmountCharges].map(({ id }) => id);
  return tx.charge.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
}

/** The days on which the charge can be paid, in the time zone of its account. */
type ChargeWindow = { charge: Charge; from: string; until: string };

/**
 * Returns whether the charge was open when the transfer was paid. Banks truncate times to the minute, so the
 * minute in which the charge was created is included.
 */
function wasOpenAt({ paidAt, paidAtIsDate }: Transfer, { charge, from, until }: ChargeWindow): boolean {
  if (!paidAtIsDate) return paidAt.getTime() >= startOfMinute(charge.createdAt) && paidAt <= charge.expiresAt;
  const day = paidAt.toISOString().slice(0, 10);
  return from <= day && day <= until;
}

function startOfMinute(time: Date): number {
  return Math.floor(time.getTime() / minuteMs) * minuteMs;
}
