import { Prisma, type ReceivingAccount, type Transfer } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { dayMs } from '../../kit/duration.ts';
import { localDate } from '../../kit/time-zone.ts';
import type { StatementKind } from '../../statement/statement-entry.ts';
import { findPairs, readMappingHash, type Teller } from './find-pairs.ts';
import { noncesOf } from './nonces-of.ts';
import type { ExceptionReason } from './transfer-state.ts';

/** Two sources may date one payment differently, by so many days of the account's calendar at most. */
const pairingDays = 3;

export type Twin = { sameAsId: string } | { reason: Extract<ExceptionReason, 'possible_duplicate'> };

/**
 * Whether another source (feed, each kind of statement file, by hand) has already told of this money: same account,
 * amount and currency, within 3 days, not yet paired. With the same nonce in both references they are one, paired one to
 * one. Without any nonce nobody can tell: `possible_duplicate`. Undefined: it is new. The transfers are of one source
 * and share no nonce.
 */
export async function findTwins(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<(Twin | undefined)[]> {
  const others = await readUnpaired(tx, transfers);
  return transfers.map((transfer) => {
    const near = others.filter(
      (other) => isAlike(transfer, other, account) && !isWaitingWhole(other, transfer),
    );
    const whole = near.find((other) => isWhole(other, transfer));
    if (whole) return { sameAsId: whole.id };
    const nonces = noncesOf(transfer);
    const twin = near.find((other) => noncesOf(other).some((nonce) => nonces.includes(nonce)));
    if (twin) return { sameAsId: twin.id };
    const alike = nonces.length === 0 && near.some((other) => noncesOf(other).length === 0);
    return alike ? { reason: 'possible_duplicate' } : undefined;
  });
}

/** The booking that the transfer is all of, under the bank's reference of the whole. */
function isWhole({ source, bankReference }: Transfer, { batchReference }: Transfer): boolean {
  return source === 'statement' && bankReference === batchReference;
}

/** It waits for its parts, of which the transfer is the only one: that tells more and is the money then. */
function isWaitingWhole(other: Transfer, transfer: Transfer): boolean {
  return isWhole(other, transfer) && other.status === 'exception' && other.allocated === 0n;
}

/**
 * What other sources told of that may be one of these, and is no twin of this source's yet: each tells of a payment
 * once.
 */
async function readUnpaired(tx: Tx, transfers: readonly Transfer[]): Promise<Transfer[]> {
  const [first] = transfers;
  if (!first) return [];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // Wide enough for any time zone; the days themselves are compared later.
  const windowMs = (pairingDays + 2) * dayMs;
  const from = new Date(Math.min(...times) - windowMs);
  const until = new Date(Math.max(...times) + windowMs);
  const amounts = [...new Set(transfers.map(({ amount }) => amount))];
  const mapping = await readMappingHash(tx, first);
  // One branch for each other teller: of this one's own there may be any number of equal amounts.
  const told = otherTellers(first).map(
    ({ source, fileKind }) => Prisma.sql`
      SELECT id FROM transfer WHERE receiving_account_id = ${first.receivingAccountId}
        AND source = ${source}::transfer_source
        AND ${fileKind === null ? Prisma.sql`file_kind IS NULL` : Prisma.sql`file_kind = ${fileKind}`}
        AND amount = ANY(${amounts}) AND paid_at BETWEEN ${from} AND ${until}
        AND direction = ${first.direction}::transfer_direction AND status::text <> 'duplicate'`,
  );
  if (mapping !== null) told.push(readOtherwise(mapping, { first, amounts, from, until }));
  const ids = await tx.$queryRaw<{ id: string }[]>(Prisma.join(told, ' UNION ALL '));
  if (ids.length === 0) return [];
  const others = await tx.transfer.findMany({
    where: { id: { in: ids.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  const pairs = await findPairs(
    tx,
    others.map(({ id }) => id),
    { ...first, mapping },
  );
  const paired = new Set(pairs.map((pair) => pair.sameAsId));
  return others.filter((other) => !paired.has(other.id));
}

/** Whoever may tell of money on an account: each tells of a payment once. */
const tellers: readonly Teller[] = [
  { source: 'feed', fileKind: null },
  { source: 'hand', fileKind: null },
  { source: 'simulation', fileKind: null },
  { source: 'statement', fileKind: null },
  ...(['camt.053', 'camt.054', 'mt940', 'csv'] satisfies StatementKind[]).map((fileKind) => ({
    source: 'statement' as const,
    fileKind,
  })),
];

function otherTellers({ source, fileKind }: Teller): Teller[] {
  return tellers.filter((one) => one.source !== source || one.fileKind !== fileKind);
}

/** CSV that was read by another mapping is another teller too: it words the same lines differently. */
function readOtherwise(
  mapping: string,
  { first, amounts, from, until }: { first: Transfer; amounts: bigint[]; from: Date; until: Date },
): Prisma.Sql {
  return Prisma.sql`
    SELECT t.id FROM transfer t JOIN statement s ON s.id = t.statement_id
    WHERE t.receiving_account_id = ${first.receivingAccountId} AND t.source = 'statement' AND t.file_kind = 'csv'
      AND t.amount = ANY(${amounts}) AND t.paid_at BETWEEN ${from} AND ${until}
      AND t.direction = ${first.direction}::transfer_direction AND t.status::text <> 'duplicate'
      AND s.mapping_hash <> ${mapping}`;
}

function isAlike(a: Transfer, b: Transfer, account: ReceivingAccount): boolean {
  return a.amount === b.amount && a.currency === b.currency && daysApart(a, b, account) <= pairingDays;
}

/** Days between two payments by the account's calendar; a date without a time is that day. */
function daysApart(a: Transfer, b: Transfer, account: ReceivingAccount): number {
  const day = ({ paidAt, paidAtIsDate }: Transfer) =>
    Date.parse(paidAtIsDate ? paidAt.toISOString().slice(0, 10) : localDate(paidAt, account.timeZone));
  return Math.abs(day(a) - day(b)) / dayMs;
}
