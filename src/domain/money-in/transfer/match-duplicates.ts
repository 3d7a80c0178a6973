import type { Transfer } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';
import { createDateFormatter } from '../../../kit/time-zone.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';

/** Two sources may date one payment this many calendar days of the account apart. */
export const pairingDays = 3;

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
  | 'paidAtIsDate'
  | 'status'
  | 'allocated'
>;

type IndexedTransfer = { transfer: ComparableTransfer; order: number; day: number };

/**
 * Returns the first of `others` that each transfer duplicates: the same batch booking or a common payment
 * reference. Each of `others` is used once. Rows are indexed once, because a shop with a single price may have
 * thousands of equal payments within a few days.
 */
export function matchDuplicates(
  transfers: readonly ComparableTransfer[],
  others: readonly ComparableTransfer[],
  timeZone: string,
): (DuplicateMatch | undefined)[] {
  const toDay = dayNumberIn(timeZone);
  const rows = indexByKey(others, toDay);
  const matchedIds = new Set<string>();
  return transfers.map((transfer) => {
    const moneyKey = toMoneyKey(transfer);
    const day = toDay(transfer);
    const isNear = (row: IndexedTransfer) =>
      Math.abs(row.day - day) <= pairingDays &&
      !matchedIds.has(row.transfer.id) &&
      !isUnmatchedBooking(row.transfer, transfer);
    const findFirst = (matchKeys: string[]) =>
      matchKeys
        .flatMap((matchKey) => rows.get(`${moneyKey} ${matchKey}`)?.find(isNear) ?? [])
        .reduce<IndexedTransfer | undefined>(
          (one, other) => (one && one.order < other.order ? one : other),
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
    const days = Array.from({ length: 2 * pairingDays + 1 }, (_, i) => day - pairingDays + i);
    const isAlike = paymentReferences.length === 0 && findFirst(days.map(toDayKey)) !== undefined;
    return isAlike ? { reason: 'possible_duplicate' } : undefined;
  });
}

/** Indexes the rows by every key that may match them; each list keeps their order. */
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
  const isWhole = other.source === 'statement' && other.bankReference === batchReference;
  return isWhole && other.status === 'exception' && other.allocated === 0n;
}

/** Returns the day number of a payment in the time zone. A date without a time is that day. */
export function dayNumberIn(
  timeZone: string,
): (transfer: Pick<ComparableTransfer, 'paidAt' | 'paidAtIsDate'>) => number {
  const toDate = createDateFormatter(timeZone);
  return ({ paidAt, paidAtIsDate }) =>
    Date.parse(paidAtIsDate ? paidAt.toISOString().slice(0, 10) : toDate(paidAt)) / dayMs;
}
