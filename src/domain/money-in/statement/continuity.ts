import { isSameAccountNumber } from './account-number.ts';

/** Days that statements cover without a gap, with the balances at their ends in minor units. */
export type StatementSpan = {
  kind: string;
  /** The account that the file names, if any. */
  accountId?: string;
  currency: string;
  opening: string;
  openingOn?: string;
  closing: string;
  closingOn?: string;
};

/**
 * Returns the span before a gap: the latest one that ends before `span` begins, if its closing balance is not
 * the opening balance. Returns undefined if the balances agree, if no earlier span is known, or if spans
 * overlap, since balances within a day are unknown.
 */
export function findGapBefore<Span extends StatementSpan>(
  span: StatementSpan,
  others: readonly Span[],
): Span | undefined {
  const { openingOn } = span;
  if (openingOn === undefined) return undefined;
  const related = others.filter((other) => isSameAccount(other, span) && !isSameStart(other, span));
  const isInside = ({ openingOn: from, closingOn: to }: Span) =>
    from !== undefined && to !== undefined && from < openingOn && openingOn < to;
  if (related.some(isInside)) return undefined;
  const earlier = related.filter(({ closingOn }) => closingOn !== undefined && closingOn <= openingOn);
  const latestOn = earlier.reduce(
    (latest, { closingOn = '' }) => (closingOn > latest ? closingOn : latest),
    '',
  );
  const latest = earlier.filter(({ closingOn }) => closingOn === latestOn);
  if (latest.length === 0 || latest.some(({ closing }) => closing === span.opening)) return undefined;
  // A table or an OFX file may begin or end in the middle of a day, so its balances need not match.
  const canOverlap =
    latestOn === openingOn && [span, ...latest].some(({ kind }) => kind === 'csv' || kind === 'ofx');
  return canOverlap ? undefined : latest[0];
}

function isSameAccount(one: StatementSpan, other: StatementSpan): boolean {
  const isNamedSame =
    one.accountId === undefined ||
    other.accountId === undefined ||
    isSameAccountNumber(one.accountId, other.accountId);
  return one.currency === other.currency && isNamedSame;
}

/**
 * Returns whether both start on the same day with the same balance, as when a second file repeats a statement
 * of the current day.
 */
function isSameStart(one: StatementSpan, other: StatementSpan): boolean {
  return one.openingOn === other.openingOn && one.opening === other.opening;
}
