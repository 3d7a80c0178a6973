import type { Transfer } from '../../../../../prisma/client/client.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { createDateFormatter } from '../../../../kit/time-zone.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';

/** How many calendar days apart, in the account's time zone, two sources may date the same payment. */
export const duplicateWindowDays = 3;

export type DuplicateMatch =
  | { duplicateOfId: string }
  | { reason: Extract<ExceptionReason, 'possible_duplicate'> };

export type ComparableTransfer = Pick<
  Transfer,
  | 'id'
  | 'source'
  | 'bankReference'
  | 'batchReference'
  | 'amount'
  | 'currency'
  | 'reference'
  | 'paidAt'
  | 'isPaidAtDateOnly'
  | 'status'
  | 'allocated'
>;

type IndexedTransfer = { transfer: ComparableTransfer; order: number; day: number };

/**
 * Finds, for each transfer, the first of `others` that it duplicates: its batch booking, or a transfer with a
 * common payment reference. Each of `others` is used only once. If neither transfer has a payment reference,
 * the match is only possible. `others` are indexed first, because a shop with a single price may have
 * thousands of equal payments within a few days.
 */
export function matchDuplicates<Compared extends ComparableTransfer>(
  transfers: readonly Compared[],
  others: readonly ComparableTransfer[],
  timeZone: string,
): Map<Compared, DuplicateMatch> {
  const toDay = createDayConverter(timeZone);
  const rows = indexByKey(others, toDay);
  const matchedIds = new Set<string>();
  const match = (transfer: Compared): DuplicateMatch | undefined => {
    const moneyKey = toMoneyKey(transfer);
    const day = toDay(transfer);
    const isCandidate = (row: IndexedTransfer) =>
      Math.abs(row.day - day) <= duplicateWindowDays &&
      !matchedIds.has(row.transfer.id) &&
      !isUnmatchedBooking(row.transfer, transfer);
    const findFirst = (matchKeys: string[]) =>
      matchKeys
        .flatMap((matchKey) => rows.get(`${moneyKey} ${matchKey}`)?.find(isCandidate) ?? [])
        .reduce<IndexedTransfer | undefined>(
          (first, other) => (first && first.order < other.order ? first : other),
          undefined,
        );
    const paymentReferences = getPaymentReferences(transfer);
    const { batchReference } = transfer;
    const duplicate =
      (batchReference !== null && findFirst([toBookingKey(batchReference)])) || findFirst(paymentReferences);
    if (duplicate) {
      matchedIds.add(duplicate.transfer.id);
      return { duplicateOfId: duplicate.transfer.id };
    }
    const days = Array.from({ length: 2 * duplicateWindowDays + 1 }, (_, i) => day - duplicateWindowDays + i);
    const isSimilar = paymentReferences.length === 0 && findFirst(days.map(toDayKey)) !== undefined;
    return isSimilar ? { reason: 'possible_duplicate' } : undefined;
  };
  const matches = new Map<Compared, DuplicateMatch>();
  for (const transfer of transfers) {
    const duplicate = match(transfer);
    if (duplicate) matches.set(transfer, duplicate);
  }
  return matches;
}

/** Indexes the transfers by every key by which they may match; each list keeps the order of `others`. */
function indexByKey(
  others: readonly ComparableTransfer[],
  toDay: (transfer: ComparableTransfer) => number,
): Map<string, IndexedTransfer[]> {
  const rows = new Map<string, IndexedTransfer[]>();
  for (const [order, transfer] of others.entries()) {
    const day = toDay(transfer);
    const paymentReferences = getPaymentReferences(transfer);
    const matchKeys = paymentReferences.length === 0 ? [toDayKey(day)] : paymentReferences;
    if (transfer.source === 'statement') matchKeys.push(toBookingKey(transfer.bankReference));
    for (const matchKey of matchKeys) {
      const key = `${toMoneyKey(transfer)} ${matchKey}`;
      const list = rows.get(key);
      if (list) list.push({ transfer, order, day });
      else rows.set(key, [{ transfer, order, day }]);
    }
  }
  return rows;
}

function toMoneyKey({ amount, currency }: ComparableTransfer): string {
  return `${amount} ${currency}`;
}

function toBookingKey(bankReference: string): string {
  return `booking ${bankReference}`;
}

function toDayKey(day: number): string {
  return `day ${day}`;
}

/** An unmatched batch booking is not the duplicate of its only part: the part has more detail and replaces it. */
function isUnmatchedBooking(other: ComparableTransfer, { batchReference }: ComparableTransfer): boolean {
  const isFullBooking = other.source === 'statement' && other.bankReference === batchReference;
  return isFullBooking && other.status === 'exception' && other.allocated === 0n;
}

/**
 * Creates a function that returns the day number of a payment in the time zone. A payment with only a date
 * belongs to that date.
 */
export function createDayConverter(
  timeZone: string,
): (transfer: Pick<ComparableTransfer, 'paidAt' | 'isPaidAtDateOnly'>) => number {
  const toDate = createDateFormatter(timeZone);
  return ({ paidAt, isPaidAtDateOnly }) =>
    Date.parse(isPaidAtDateOnly ? paidAt.toISOString().slice(0, 10) : toDate(paidAt)) / dayMs;
}
