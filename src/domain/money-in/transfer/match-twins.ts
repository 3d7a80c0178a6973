import type { Transfer } from '../../../../prisma/client/client.ts';
import { dayMs } from '../../../kit/duration.ts';
import { datesIn } from '../../../kit/time-zone.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';

/** Two sources may date one payment differently, by so many days of the account's calendar at most. */
export const pairingDays = 3;

export type Twin = { sameAsId: string } | { reason: Extract<ExceptionReason, 'possible_duplicate'> };

/** What pairing looks at. */
export type ToldOf = Pick<
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

type Row = { told: ToldOf; order: number; day: number };

/**
 * Of what others told of, in order, the first that each transfer is the same as: all of a booking, or with the same
 * nonce; none is taken twice. Each row is read once, whatever their number: a shop of one price has thousands of equal
 * payments in some days.
 */
export function matchTwins(
  transfers: readonly ToldOf[],
  others: readonly ToldOf[],
  timeZone: string,
): (Twin | undefined)[] {
  const dayOf = daysIn(timeZone);
  const rows = rowsByMark(others, dayOf);
  const taken = new Set<string>();
  return transfers.map((transfer) => {
    const money = moneyOf(transfer);
    const day = dayOf(transfer);
    const isNear = (row: Row) =>
      Math.abs(row.day - day) <= pairingDays &&
      !taken.has(row.told.id) &&
      !isWaitingWhole(row.told, transfer);
    const first = (marks: string[]) =>
      marks
        .flatMap((mark) => rows.get(`${money} ${mark}`)?.find(isNear) ?? [])
        .reduce<Row | undefined>((one, other) => (one && one.order < other.order ? one : other), undefined);
    const nonces = noncesOf(transfer);
    const { batchReference } = transfer;
    const twin = (batchReference !== null && first([wholeMark(batchReference)])) || first(nonces);
    if (twin) {
      taken.add(twin.told.id);
      return { sameAsId: twin.told.id };
    }
    const days = Array.from({ length: 2 * pairingDays + 1 }, (_, i) => day - pairingDays + i);
    const isAlike = nonces.length === 0 && first(days.map(wordlessMark)) !== undefined;
    return isAlike ? { reason: 'possible_duplicate' } : undefined;
  });
}

/** The rows under all that they may be found by, each list in order. */
function rowsByMark(others: readonly ToldOf[], dayOf: (told: ToldOf) => number): Map<string, Row[]> {
  const rows = new Map<string, Row[]>();
  for (const [order, told] of others.entries()) {
    const day = dayOf(told);
    const nonces = noncesOf(told);
    const marks = nonces.length === 0 ? [wordlessMark(day)] : nonces;
    if (told.source === 'statement') marks.push(wholeMark(told.bankReference));
    for (const mark of marks) {
      const key = `${moneyOf(told)} ${mark}`;
      const list = rows.get(key);
      if (list) list.push({ told, order, day });
      else rows.set(key, [{ told, order, day }]);
    }
  }
  return rows;
}

function moneyOf({ amount, currency }: ToldOf): string {
  return `${amount} ${currency}`;
}

function wholeMark(bankReference: string): string {
  return `whole ${bankReference}`;
}

function wordlessMark(day: number): string {
  return `wordless ${day}`;
}

/** The booking that the transfer is all of waits for its parts, of which it is the only one: that tells more, and is the money then. */
function isWaitingWhole(other: ToldOf, { batchReference }: ToldOf): boolean {
  const isWhole = other.source === 'statement' && other.bankReference === batchReference;
  return isWhole && other.status === 'exception' && other.allocated === 0n;
}

/** The number of the day of a payment by the account's calendar; a date without a time is that day. */
export function daysIn(timeZone: string): (told: Pick<ToldOf, 'paidAt' | 'paidAtIsDate'>) => number {
  const dateOf = datesIn(timeZone);
  return ({ paidAt, paidAtIsDate }) =>
    Date.parse(paidAtIsDate ? paidAt.toISOString().slice(0, 10) : dateOf(paidAt)) / dayMs;
}
