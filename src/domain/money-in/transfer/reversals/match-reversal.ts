import { Prisma, type Transfer, TransferSource } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import { foldReference } from '../../../../method/payment-reference.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import { getPaymentReferences } from '../../../payments/allocation/get-payment-references.ts';
import type { ExceptionReason } from '../../../payments/allocation/transfer-state.ts';
import { readUnpaired } from '../duplicates/find-duplicates.ts';
import { createDayConverter, duplicateWindowDays } from '../duplicates/match-duplicates.ts';

/** How many days after a credit a bank may reverse it. */
const reversalWindowDays = 120;
/** How many days before the credit a bank may date its reversal. */
const datedBeforeDays = 3;

/** The number of credits that are read at a time, because many may have the same amount. */
const pageSize = 1_000;

/**
 * The credit that a reversal reverses, the reversal of another source that it duplicates, or why neither is
 * certain.
 */
type ReversalMatch =
  | { creditId: string }
  | { duplicateOfId: string }
  | { reason: Extract<ExceptionReason, 'unknown_reversal' | 'possible_duplicate'> };

/**
 * Matches a reversal. If another source has reported a reversal with a common payment reference, the new one
 * is its duplicate. Otherwise it reverses a credit with the same bank account, amount and currency that has not
 * been reversed yet: the credit whose bank reference the reversal names or, if it names none, the latest
 * credit with its payment reference. A reversal without a payment reference reverses the latest credit with
 * the same text, unless it may duplicate a reversal of another source.
 */
export async function matchReversal(
  tx: Tx,
  reversal: Transfer,
  options: { account: BankAccount; reference: string | undefined },
): Promise<ReversalMatch> {
  const { account } = options;
  const reportedReversals = await findReportedReversals(tx, reversal, account);
  const paymentReferences = getPaymentReferences(reversal);
  const duplicate = reportedReversals.find((other) =>
    other.paymentReferences.some((reference) => paymentReferences.includes(reference)),
  );
  if (duplicate) return { duplicateOfId: duplicate.id };
  const namedCredit = await findNamedCredit(tx, reversal, options);
  if (namedCredit?.reversalId === null) return { creditId: namedCredit.id };
  const sameReversal = namedCredit && reportedReversals.find(({ id }) => id === namedCredit.reversalId);
  if (sameReversal) return { duplicateOfId: sameReversal.id };
  if (paymentReferences.length === 0 && reportedReversals.length > 0) return { reason: 'possible_duplicate' };
  // If the reversal names a credit, no other credit with the same text is searched.
  const creditId =
    paymentReferences.length === 0 && namedCredit
      ? undefined
      : await findCreditByText(tx, reversal, { account, paymentReferences });
  return creditId === undefined ? { reason: 'unknown_reversal' } : { creditId };
}

export function getCreditPeriod({ paidAt }: Pick<Transfer, 'paidAt'>): { from: Date; until: Date } {
  const at = paidAt.getTime();
  return {
    from: new Date(at - reversalWindowDays * dayMs),
    until: new Date(at + datedBeforeDays * dayMs),
  };
}

type NamedCredit = { id: string; reversalId: string | null };

/**
 * Returns the credit with the bank reference, or the transfer that it duplicates. Prefers a credit that has
 * not been reversed.
 */
async function findNamedCredit(
  tx: Tx,
  reversal: Transfer,
  { account, reference }: { account: BankAccount; reference: string | undefined },
): Promise<NamedCredit | undefined> {
  if (reference === undefined) return undefined;
  const { from, until } = getCreditPeriod(reversal);
  const rows = await tx.$queryRaw<NamedCredit[]>`
    WITH RECURSIVE named AS (
      SELECT id, duplicate_of_id FROM transfer WHERE receiving_account_id = ANY(${account.sharedIds})
        AND source = ANY(${Object.values(TransferSource)}::transfer_source[]) AND bank_reference = ${reference}
        AND direction = 'credit' AND amount = ${reversal.amount} AND currency = ${reversal.currency} AND undone_at IS NULL
        AND paid_at BETWEEN ${from} AND ${until}
      UNION SELECT t.id, t.duplicate_of_id FROM named JOIN transfer t ON t.id = named.duplicate_of_id
    )
    SELECT t.id, r.id AS "reversalId" FROM named JOIN transfer t ON t.id = named.id
      LEFT JOIN transfer r ON r.reversal_of_id = t.id
    WHERE t.status::text <> 'duplicate' AND t.amount = ${reversal.amount} AND t.currency = ${reversal.currency}
    ORDER BY r.id IS NOT NULL, t.id DESC LIMIT 1`;
  return rows[0];
}

/**
 * Finds the latest credit with a common payment reference or, if the reversal has none, with the same text.
 */
async function findCreditByText(
  tx: Tx,
  reversal: Transfer,
  { account, paymentReferences }: { account: BankAccount; paymentReferences: string[] },
): Promise<string | undefined> {
  const text = foldReference(reversal.reference);
  if (text === '') return undefined;
  const isMatch = (credit: { reference: string }) =>
    paymentReferences.length > 0
      ? getPaymentReferences(credit).some((reference) => paymentReferences.includes(reference))
      : foldReference(credit.reference) === text;
  const foldedReference = Prisma.sql`regexp_replace(upper(t.reference), '[^A-Z0-9]', '', 'g')`;
  const textCondition =
    paymentReferences.length > 0
      ? Prisma.sql`${foldedReference} LIKE ANY(${paymentReferences.map((reference) => `%${reference}%`)})`
      : Prisma.sql`${foldedReference} = ${text}`;
  for (let last: CreditText | undefined; ; ) {
    const page = await readCreditTexts(tx, reversal, { account, textCondition, last });
    const match = page.find(isMatch);
    if (match || page.length < pageSize) return match?.id;
    last = page.at(-1);
  }
}

type CreditText = { id: string; reference: string; paidAt: Date };

/**
 * Returns a page of credits that may match. Only for ASCII text does PostgreSQL fold like `foldReference`, so
 * credits with other text are included, and the caller compares them.
 */
async function readCreditTexts(
  tx: Tx,
  reversal: Transfer,
  options: { account: BankAccount; textCondition: Prisma.Sql; last: CreditText | undefined },
): Promise<CreditText[]> {
  const { account, textCondition, last } = options;
  const { from, until } = getCreditPeriod(reversal);
  const before = last ? Prisma.sql`AND (t.paid_at, t.id) < (${last.paidAt}, ${last.id})` : Prisma.empty;
  return tx.$queryRaw<CreditText[]>`
    SELECT t.id, t.reference, t.paid_at AS "paidAt" FROM transfer t
    WHERE t.receiving_account_id = ANY(${account.sharedIds}) AND t.amount = ${reversal.amount}
      AND t.paid_at BETWEEN ${from} AND ${until} ${before}
      AND t.currency = ${reversal.currency} AND t.direction = 'credit' AND t.status::text <> 'duplicate'
      AND t.undone_at IS NULL AND (octet_length(t.reference) <> length(t.reference) OR ${textCondition})
      AND NOT EXISTS (SELECT 1 FROM transfer r WHERE r.reversal_of_id = t.id)
    ORDER BY t.paid_at DESC, t.id DESC LIMIT ${pageSize}`;
}

/** `paymentReferences` includes those of the credit that the reversal reversed. */
type ReportedReversal = { id: string; reversalOfId: string | null; paymentReferences: string[] };

/**
 * Returns the reversals of other sources that this one may duplicate: with the same amount, at most
 * `duplicateWindowDays` apart, and without a duplicate from this source. Excludes all other outgoing
 * transfers.
 */
async function findReportedReversals(
  tx: Tx,
  reversal: Transfer,
  account: BankAccount,
): Promise<ReportedReversal[]> {
  const toDay = createDayConverter(account.timeZone);
  const candidates = (await readUnpaired(tx, [reversal], account)).filter(
    (other) =>
      other.currency === reversal.currency && Math.abs(toDay(other) - toDay(reversal)) <= duplicateWindowDays,
  );
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  // An outgoing transfer that is not a reversal is the payout of a refund or has a reason.
  const rows = await tx.$queryRaw<
    { id: string; reversalOfId: string | null; reference: string; creditReference: string | null }[]
  >`
    SELECT r.id, r.reversal_of_id AS "reversalOfId", r.reference, credit.reference AS "creditReference"
    FROM transfer r LEFT JOIN transfer credit ON credit.id = r.reversal_of_id
    WHERE r.id = ANY(${ids}) AND (r.status = 'exception' OR r.reversal_of_id IS NOT NULL
      OR r.reason IS NULL AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = r.id))
    ORDER BY r.id`;
  return rows.map(({ id, reversalOfId, reference, creditReference }) => ({
    id,
    reversalOfId,
    paymentReferences: [
      ...getPaymentReferences({ reference }),
      ...(creditReference === null ? [] : getPaymentReferences({ reference: creditReference })),
    ],
  }));
}
