import { Prisma, type ReceivingAccount, type Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';
import { dayMs } from '../../../kit/duration.ts';
import type { StatementKind } from '../../../statement/statement-entry.ts';
import { type ReportSource, readMappingHash } from './find-pairs.ts';
import {
  type ComparableTransfer,
  type DuplicateMatch,
  matchDuplicates,
  pairingDays,
} from './match-duplicates.ts';

/**
 * Whether another source (feed, each kind of statement file, by hand) has already told of this money: same account,
 * amount and currency, within 3 days, not yet paired. With the same nonce in both references they are one, paired one to
 * one. Without any nonce nobody can tell: `possible_duplicate`. Undefined: it is new. The transfers are of one source
 * and share no nonce.
 */
export async function findDuplicates(
  tx: Tx,
  transfers: readonly Transfer[],
  account: ReceivingAccount,
): Promise<(DuplicateMatch | undefined)[]> {
  const others = await readUnpaired(tx, transfers);
  return matchDuplicates(transfers, others, account.timeZone);
}

/**
 * What other sources told of that may be one of these, and is no twin of this source's yet: each tells of a payment
 * once. In the order in which it was recorded.
 */
export async function readUnpaired(tx: Tx, transfers: readonly Transfer[]): Promise<ComparableTransfer[]> {
  const [first] = transfers;
  if (!first) return [];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // Wide enough for any time zone; the days themselves are compared later.
  const windowMs = (pairingDays + 2) * dayMs;
  const from = new Date(Math.min(...times) - windowMs);
  const until = new Date(Math.max(...times) + windowMs);
  const amounts = [...new Set(transfers.map(({ amount }) => amount))];
  const mapping = await readMappingHash(tx, first);

  const sameMoney = Prisma.sql`t.amount = ANY(${amounts}) AND t.paid_at BETWEEN ${from} AND ${until}
    AND t.direction = ${first.direction}::transfer_direction AND t.status::text <> 'duplicate'`;
  // One branch for each other teller: of this one's own there may be any number of equal amounts.
  const queries = getOtherSources(first).map(
    (other) => Prisma.sql`
      SELECT ${comparedColumns} FROM transfer t WHERE t.receiving_account_id = ${first.receivingAccountId}
        AND t.source = ${other.source}::transfer_source AND ${fileKindSql('t', other)} AND ${sameMoney}`,
  );
  // CSV that was read by another mapping is another teller too: it words the same lines differently.
  if (mapping !== null)
    queries.push(Prisma.sql`
      SELECT ${comparedColumns} FROM transfer t JOIN statement s ON s.id = t.statement_id
      WHERE t.receiving_account_id = ${first.receivingAccountId} AND t.source = 'statement' AND t.file_kind = 'csv'
        AND ${sameMoney} AND s.mapping_hash <> ${mapping}`);
  const isSameSource = Prisma.sql`duplicate.source = ${first.source}::transfer_source AND ${fileKindSql('duplicate', first)}`;
  const isSameMapping =
    mapping === null
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM statement s WHERE s.id = duplicate.statement_id AND s.mapping_hash = ${mapping})`;
  return tx.$queryRaw<ComparableTransfer[]>`
    SELECT * FROM (${Prisma.join(queries, ' UNION ALL ')}) AS other
    WHERE NOT EXISTS (SELECT 1 FROM transfer duplicate WHERE duplicate.same_as_id = other.id AND ${isSameSource} ${isSameMapping})
    ORDER BY other.id`;
}

/** Whoever may tell of money on an account: each tells of a payment once. */
const reportSources: readonly ReportSource[] = [
  { source: 'feed', fileKind: null },
  { source: 'hand', fileKind: null },
  { source: 'simulation', fileKind: null },
  { source: 'statement', fileKind: null },
  ...(['camt.053', 'camt.054', 'mt940', 'csv'] satisfies StatementKind[]).map((fileKind) => ({
    source: 'statement' as const,
    fileKind,
  })),
];

function getOtherSources({ source, fileKind }: ReportSource): ReportSource[] {
  return reportSources.filter((one) => one.source !== source || one.fileKind !== fileKind);
}

/** No more than pairing looks at: there may be many. */
const comparedColumns = Prisma.sql`t.id, t.source::text AS source, t.bank_reference AS "bankReference",
  t.batch_reference AS "batchReference", t.amount, t.currency, t.reference, t.paid_at AS "paidAt",
  t.paid_at_is_date AS "paidAtIsDate", t.status::text AS status, t.allocated`;

function fileKindSql(table: 't' | 'duplicate', { fileKind }: ReportSource): Prisma.Sql {
  const column = Prisma.raw(`${table}.file_kind`);
  return fileKind === null ? Prisma.sql`${column} IS NULL` : Prisma.sql`${column} = ${fileKind}`;
}
