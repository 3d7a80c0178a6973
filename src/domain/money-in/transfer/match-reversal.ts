import {
  Prisma,
  type ReceivingAccount,
  type Transfer,
  TransferSource,
} from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { foldReference } from '../../../method/payment-reference.ts';
import { getPaymentReferences } from '../../payments/allocation/get-payment-references.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';
import { readUnpaired } from './find-duplicates.ts';
import { dayNumberIn, pairingDays } from './match-duplicates.ts';

/** A bank takes a booking back so long after it, and dates the two so far apart the wrong way round. */
const reversalWindowDays = 120;
const datedBeforeDays = 3;

/** Credits that are read at a time: of one amount there may be any number. */
const pageSize = 1_000;

/** What a reversal takes back, the reversal of another source that it is, or why neither is sure. */
export type ReversalMatch =
  | { creditId: string }
  | { sameAsId: string }
  | { reason: Extract<ExceptionReason, 'unknown_reversal' | 'possible_duplicate'> };

/**
 * What a reversal is about. With the nonce of one that another source told of it is that one. Else it takes back a
 * credit of the same account, amount and currency, not taken back yet: the one whose bank reference it names, else the
 * latest with its nonce; one without a nonce the latest of the same words, unless another source's reversal may be this
 * one.
 */
export async function matchReversal(
  tx: Tx,
  reversal: Transfer,
  options: { account: ReceivingAccount; reference: string | undefined },
): Promise<ReversalMatch> {
  const reportedReversals = await findReportedReversals(tx, reversal, options.account);
  const paymentReferences = getPaymentReferences(reversal);
  const duplicate = reportedReversals.find((other) =>
    other.paymentReferences.some((reference) => paymentReferences.includes(reference)),
  );
  if (duplicate) return { sameAsId: duplicate.id };
  const namedCredit = await findNamedCredit(tx, reversal, options.reference);
  if (namedCredit?.reversalId === null) return { creditId: namedCredit.id };
  const sameReversal = namedCredit && reportedReversals.find(({ id }) => id === namedCredit.reversalId);
  if (sameReversal) return { sameAsId: sameReversal.id };
  if (paymentReferences.length === 0 && reportedReversals.length > 0) return { reason: 'possible_duplicate' };
  // Words alone do not stand against a name.
  const creditId =
    paymentReferences.length === 0 && namedCredit
      ? undefined
      : await findCreditByText(tx, reversal, paymentReferences);
  return creditId === undefined ? { reason: 'unknown_reversal' } : { creditId };
}

/** When a credit was paid that the reversal may take back. */
export function getCreditPeriod({ paidAt }: Pick<Transfer, 'paidAt'>): { from: Date; until: Date } {
  const at = paidAt.getTime();
  return {
    from: new Date(at - reversalWindowDays * dayMs),
    until: new Date(at + datedBeforeDays * dayMs),
  };
}

type NamedCredit = { id: string; reversalId: string | null };

/**
 * The credit under that bank reference, or the money that it is the same as; rather one that has not been taken back.
 */
async function findNamedCredit(
  tx: Tx,
  reversal: Transfer,
  reference: string | undefined,
): Promise<NamedCredit | undefined> {
  if (reference === undefined) return undefined;
  const { from, until } = getCreditPeriod(reversal);
  const rows = await tx.$queryRaw<NamedCredit[]>`
    WITH RECURSIVE named AS (
      SELECT id, same_as_id FROM transfer WHERE receiving_account_id = ${reversal.receivingAccountId}
        AND source = ANY(${Object.values(TransferSource)}::transfer_source[]) AND bank_reference = ${reference}
        AND direction = 'credit' AND amount = ${reversal.amount} AND currency = ${reversal.currency}
        AND paid_at BETWEEN ${from} AND ${until}
      UNION SELECT t.id, t.same_as_id FROM named JOIN transfer t ON t.id = named.same_as_id
    )
    SELECT t.id, r.id AS "reversalId" FROM named JOIN transfer t ON t.id = named.id
      LEFT JOIN transfer r ON r.reverses_id = t.id
    WHERE t.status::text <> 'duplicate' AND t.amount = ${reversal.amount} AND t.currency = ${reversal.currency}
    ORDER BY r.id IS NOT NULL, t.id DESC LIMIT 1`;
  return rows[0];
}

/** By its nonces, else by its words, the latest first. */
async function findCreditByText(
  tx: Tx,
  reversal: Transfer,
  paymentReferences: string[],
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
    const page = await readCreditTexts(tx, reversal, { textCondition, last });
    const match = page.find(isMatch);
    if (match || page.length < pageSize) return match?.id;
    last = page.at(-1);
  }
}

type CreditText = { id: string; reference: string; paidAt: Date };

/** PostgreSQL folds what is ASCII as we do; the rest is looked at here. */
async function readCreditTexts(
  tx: Tx,
  reversal: Transfer,
  { textCondition, last }: { textCondition: Prisma.Sql; last: CreditText | undefined },
): Promise<CreditText[]> {
  const { from, until } = getCreditPeriod(reversal);
  const before = last ? Prisma.sql`AND (t.paid_at, t.id) < (${last.paidAt}, ${last.id})` : Prisma.empty;
  return tx.$queryRaw<CreditText[]>`
    SELECT t.id, t.reference, t.paid_at AS "paidAt" FROM transfer t
    WHERE t.receiving_account_id = ${reversal.receivingAccountId} AND t.amount = ${reversal.amount}
      AND t.paid_at BETWEEN ${from} AND ${until} ${before}
      AND t.currency = ${reversal.currency} AND t.direction = 'credit' AND t.status::text <> 'duplicate'
      AND (octet_length(t.reference) <> length(t.reference) OR ${textCondition})
      AND NOT EXISTS (SELECT 1 FROM transfer r WHERE r.reverses_id = t.id)
    ORDER BY t.paid_at DESC, t.id DESC LIMIT ${pageSize}`;
}

/** A reversal, with the nonces in its text and in that of the credit it took back. */
type ReportedReversal = { id: string; reversesId: string | null; paymentReferences: string[] };

/**
 * The reversals that other sources told of within the days of pairing and that may be this one: of the same amount, and
 * not the same as one of this source's yet. What else went out is none.
 */
async function findReportedReversals(
  tx: Tx,
  reversal: Transfer,
  account: ReceivingAccount,
): Promise<ReportedReversal[]> {
  const toDay = dayNumberIn(account.timeZone);
  const candidates = (await readUnpaired(tx, [reversal])).filter(
    (other) =>
      other.currency === reversal.currency && Math.abs(toDay(other) - toDay(reversal)) <= pairingDays,
  );
  if (candidates.length === 0) return [];
  const ids = candidates.map(({ id }) => id);
  // Money that went out is a payout, has a reason why it is none, or took a credit back.
  const rows = await tx.$queryRaw<
    { id: string; reversesId: string | null; reference: string; creditReference: string | null }[]
  >`
    SELECT r.id, r.reverses_id AS "reversesId", r.reference, credit.reference AS "creditReference"
    FROM transfer r LEFT JOIN transfer credit ON credit.id = r.reverses_id
    WHERE r.id = ANY(${ids}) AND (r.status = 'exception' OR r.reverses_id IS NOT NULL
      OR r.reason IS NULL AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = r.id))
    ORDER BY r.id`;
  return rows.map(({ id, reversesId, reference, creditReference }) => ({
    id,
    reversesId,
    paymentReferences: [
      ...getPaymentReferences({ reference }),
      ...(creditReference === null ? [] : getPaymentReferences({ reference: creditReference })),
    ],
  }));
}
