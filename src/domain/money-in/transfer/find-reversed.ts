import {
  Prisma,
  type ReceivingAccount,
  type Transfer,
  TransferSource,
} from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import { foldReference } from '../../../method/nonce.ts';
import { noncesOf } from '../../payments/allocation/nonces-of.ts';
import type { ExceptionReason } from '../../payments/allocation/transfer-state.ts';
import { readUnpaired } from './find-twins.ts';
import { daysIn, pairingDays } from './match-twins.ts';

/** A bank takes a booking back so long after it, and dates the two so far apart the wrong way round. */
const reversedWithinDays = 120;
const datedBeforeDays = 3;

/** Credits that are read at a time: of one amount there may be any number. */
const pageSize = 1_000;

/** What a reversal takes back, the reversal of another source that it is, or why neither is sure. */
export type Reversed =
  | { creditId: string }
  | { sameAsId: string }
  | { reason: Extract<ExceptionReason, 'unknown_reversal' | 'possible_duplicate'> };

/**
 * What a reversal is about. With the nonce of one that another source told of it is that one. Else it takes back a
 * credit of the same account, amount and currency, not taken back yet: the one whose bank reference it names, else the
 * latest with its nonce; one without a nonce the latest of the same words, unless another source's reversal may be this
 * one.
 */
export async function findReversed(
  tx: Tx,
  reversal: Transfer,
  options: { account: ReceivingAccount; reference: string | undefined },
): Promise<Reversed> {
  const told = await findToldReversals(tx, reversal, options.account);
  const nonces = noncesOf(reversal);
  const twin = told.find((other) => other.nonces.some((nonce) => nonces.includes(nonce)));
  if (twin) return { sameAsId: twin.id };
  const named = await findNamed(tx, reversal, options.reference);
  if (named?.reversalId === null) return { creditId: named.id };
  const sameCredit = named && told.find(({ id }) => id === named.reversalId);
  if (sameCredit) return { sameAsId: sameCredit.id };
  if (nonces.length === 0 && told.length > 0) return { reason: 'possible_duplicate' };
  // Words alone do not stand against a name.
  const creditId = nonces.length === 0 && named ? undefined : await findWorded(tx, reversal, nonces);
  return creditId === undefined ? { reason: 'unknown_reversal' } : { creditId };
}

/** When a credit was paid that the reversal may take back. */
export function reversedBetween({ paidAt }: Pick<Transfer, 'paidAt'>): { from: Date; until: Date } {
  const at = paidAt.getTime();
  return {
    from: new Date(at - reversedWithinDays * dayMs),
    until: new Date(at + datedBeforeDays * dayMs),
  };
}

type Named = { id: string; reversalId: string | null };

/**
 * The credit under that bank reference, or the money that it is the same as; rather one that has not been taken back.
 */
async function findNamed(
  tx: Tx,
  reversal: Transfer,
  reference: string | undefined,
): Promise<Named | undefined> {
  if (reference === undefined) return undefined;
  const { from, until } = reversedBetween(reversal);
  const rows = await tx.$queryRaw<Named[]>`
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
async function findWorded(tx: Tx, reversal: Transfer, nonces: string[]): Promise<string | undefined> {
  const words = foldReference(reversal.reference);
  if (words === '') return undefined;
  const isMeant = (credit: { reference: string }) =>
    nonces.length > 0
      ? noncesOf(credit).some((nonce) => nonces.includes(nonce))
      : foldReference(credit.reference) === words;
  const folded = Prisma.sql`regexp_replace(upper(t.reference), '[^A-Z0-9]', '', 'g')`;
  const mayBeMeant =
    nonces.length > 0
      ? Prisma.sql`${folded} LIKE ANY(${nonces.map((nonce) => `%${nonce}%`)})`
      : Prisma.sql`${folded} = ${words}`;
  for (let last: Worded | undefined; ; ) {
    const page = await readWorded(tx, reversal, { mayBeMeant, last });
    const meant = page.find(isMeant);
    if (meant || page.length < pageSize) return meant?.id;
    last = page.at(-1);
  }
}

type Worded = { id: string; reference: string; paidAt: Date };

/** PostgreSQL folds what is ASCII as we do; the rest is looked at here. */
async function readWorded(
  tx: Tx,
  reversal: Transfer,
  { mayBeMeant, last }: { mayBeMeant: Prisma.Sql; last: Worded | undefined },
): Promise<Worded[]> {
  const { from, until } = reversedBetween(reversal);
  const before = last ? Prisma.sql`AND (t.paid_at, t.id) < (${last.paidAt}, ${last.id})` : Prisma.empty;
  return tx.$queryRaw<Worded[]>`
    SELECT t.id, t.reference, t.paid_at AS "paidAt" FROM transfer t
    WHERE t.receiving_account_id = ${reversal.receivingAccountId} AND t.amount = ${reversal.amount}
      AND t.paid_at BETWEEN ${from} AND ${until} ${before}
      AND t.currency = ${reversal.currency} AND t.direction = 'credit' AND t.status::text <> 'duplicate'
      AND (octet_length(t.reference) <> length(t.reference) OR ${mayBeMeant})
      AND NOT EXISTS (SELECT 1 FROM transfer r WHERE r.reverses_id = t.id)
    ORDER BY t.paid_at DESC, t.id DESC LIMIT ${pageSize}`;
}

/** A reversal, with the nonces in its text and in that of the credit it took back. */
type ToldReversal = { id: string; reversesId: string | null; nonces: string[] };

/**
 * The reversals that other sources told of within the days of pairing and that may be this one: of the same amount, and
 * not the same as one of this source's yet. What else went out is none.
 */
async function findToldReversals(
  tx: Tx,
  reversal: Transfer,
  account: ReceivingAccount,
): Promise<ToldReversal[]> {
  const dayOf = daysIn(account.timeZone);
  const told = (await readUnpaired(tx, [reversal])).filter(
    (other) =>
      other.currency === reversal.currency && Math.abs(dayOf(other) - dayOf(reversal)) <= pairingDays,
  );
  if (told.length === 0) return [];
  const ids = told.map(({ id }) => id);
  // Money that went out is a payout, has a reason why it is none, or took a credit back.
  const rows = await tx.$queryRaw<
    { id: string; reversesId: string | null; reference: string; taken: string | null }[]
  >`
    SELECT r.id, r.reverses_id AS "reversesId", r.reference, credit.reference AS taken
    FROM transfer r LEFT JOIN transfer credit ON credit.id = r.reverses_id
    WHERE r.id = ANY(${ids}) AND (r.status = 'exception' OR r.reverses_id IS NOT NULL
      OR r.reason IS NULL AND NOT EXISTS (SELECT 1 FROM refund_payout p WHERE p.transfer_id = r.id))
    ORDER BY r.id`;
  return rows.map(({ id, reversesId, reference, taken }) => ({
    id,
    reversesId,
    nonces: [...noncesOf({ reference }), ...(taken === null ? [] : noncesOf({ reference: taken }))],
  }));
}
