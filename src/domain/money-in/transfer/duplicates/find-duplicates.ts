import { Prisma, type Transfer } from '../../../../../prisma/client/client.ts';
import type { Tx } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { StatementKind } from '../../../../statement/statement-entry.ts';
import type { BankAccount } from '../../../accounts/receiving-account/bank-account.ts';
import {
  type ComparableTransfer,
  type DuplicateMatch,
  duplicateWindowDays,
  matchDuplicates,
} from './match-duplicates.ts';

/**
 * Finds, for each transfer, the transfer of another source (each feed, manual, each kind of statement file) that
 * it duplicates: with the same bank account, amount and currency, dated at most 3 days apart, and not yet paired
 * with a transfer of this source. Transfers with a common payment reference are paired one to one. Without a
 * payment reference, the match is uncertain: `possible_duplicate`. Transfers that are new have no match.
 * All transfers must be of one source and must not share a payment reference.
 */
export async function findDuplicates(
  tx: Tx,
  transfers: readonly Transfer[],
  account: BankAccount,
): Promise<ReadonlyMap<Transfer, DuplicateMatch>> {
  const others = await readUnpaired(tx, transfers, account);
  return matchDuplicates(transfers, others, account.timeZone);
}

/**
 * Returns the transfers of other sources that the given ones may duplicate, in the order of recording.
 * Excludes those that already have a duplicate from the source of the given ones, because a source reports
 * each payment only once.
 */
export async function readUnpaired(
  tx: Tx,
  transfers: readonly Transfer[],
  { sharedIds }: BankAccount,
): Promise<ComparableTransfer[]> {
  const [first] = transfers;
  if (!first) return [];
  const times = transfers.map(({ paidAt }) => paidAt.getTime());
  // The range is wide enough for any time zone; the days are compared later.
  const windowMs = (duplicateWindowDays + 2) * dayMs;
  const from = new Date(Math.min(...times) - windowMs);
  const until = new Date(Math.max(...times) + windowMs);
  const amounts = [...new Set(transfers.map(({ amount }) => amount))];
  const mappingHash = await readMappingHash(tx, first);

  const sameMoney = Prisma.sql`t.amount = ANY(${amounts}) AND t.paid_at BETWEEN ${from} AND ${until}
    AND t.direction = ${first.direction}::transfer_direction AND t.status::text <> 'duplicate' AND t.undone_at IS NULL`;
  // One branch per other source, so that the query skips the equal amounts of this source, which may be many.
  const queries = getOtherSources(first).map(
    (other) => Prisma.sql`
      SELECT ${comparedColumns} FROM transfer t WHERE t.receiving_account_id = ANY(${sharedIds})
        AND t.source = ${other.source}::transfer_source AND ${fileKindSql('t', other)} AND ${sameMoney}`,
  );
  queries.push(Prisma.sql`
      SELECT ${comparedColumns} FROM transfer t WHERE t.receiving_account_id = ANY(${sharedIds})
        AND t.source = 'feed' AND ${sameMoney} AND t.file_kind = ANY (ARRAY(
          SELECT DISTINCT source_key FROM bank_feed WHERE merchant_id = ${first.merchantId} AND mode = ${first.mode}::mode
            AND (${first.source} <> 'feed' OR source_key IS DISTINCT FROM ${first.fileKind})))`);
  // A CSV file that was read with another mapping is another source, because its texts differ.
  if (mappingHash !== null)
    queries.push(Prisma.sql`
      SELECT ${comparedColumns} FROM transfer t JOIN statement s ON s.id = t.statement_id
      WHERE t.receiving_account_id = ANY(${sharedIds}) AND t.source = 'statement' AND t.file_kind = 'csv'
        AND ${sameMoney} AND s.mapping_hash <> ${mappingHash}`);
  const isSameSource = Prisma.sql`duplicate.source = ${first.source}::transfer_source AND ${fileKindSql('duplicate', first)}`;
  const isSameMapping =
    mappingHash === null
      ? Prisma.empty
      : Prisma.sql`AND EXISTS (SELECT 1 FROM statement s WHERE s.id = duplicate.statement_id AND s.mapping_hash = ${mappingHash})`;
  return tx.$queryRaw<ComparableTransfer[]>`
    SELECT * FROM (${Prisma.join(queries, ' UNION ALL ')}) AS other
    WHERE NOT EXISTS (SELECT 1 FROM transfer duplicate WHERE duplicate.duplicate_of_id = other.id AND duplicate.undone_at IS NULL
      AND ${isSameSource} ${isSameMapping})
    ORDER BY other.id`;
}

/** The sources of reports, other than bank feeds with a source key. Each reports a payment only once. */
const reportSources: readonly ReportSource[] = [
  { source: 'feed', fileKind: null },
  { source: 'manual', fileKind: null },
  { source: 'simulation', fileKind: null },
  { source: 'statement', fileKind: null },
  // Interim reports are missing, because their entries are not recorded.
  ...(['camt.053', 'camt.054', 'mt940', 'ofx', 'qif', 'bai2', 'csv'] satisfies StatementKind[]).map(
    (fileKind) => ({ source: 'statement' as const, fileKind }),
  ),
];

function getOtherSources({ source, fileKind }: ReportSource): ReportSource[] {
  return reportSources.filter(
    (reportSource) => reportSource.source !== source || reportSource.fileKind !== fileKind,
  );
}

/** Only the columns that are compared, because there may be many rows. */
const comparedColumns = Prisma.sql`t.id, t.source::text AS source, t.bank_reference AS "bankReference",
  t.batch_reference AS "batchReference", t.amount, t.currency, t.reference, t.paid_at AS "paidAt",
  t.is_paid_at_date_only AS "isPaidAtDateOnly", t.status::text AS status, t.allocated`;

function fileKindSql(table: 't' | 'duplicate', { fileKind }: ReportSource): Prisma.Sql {
  const column = Prisma.raw(`${table}.file_kind`);
  return fileKind === null ? Prisma.sql`${column} IS NULL` : Prisma.sql`${column} = ${fileKind}`;
}

/** The source of a report. Each mapping of CSV files is a separate source. */
type ReportSource = Pick<Transfer, 'source' | 'fileKind'>;

/** Returns the duplicates of these transfers that one source has reported. */
export async function findRecordedDuplicates(
  tx: Tx,
  ids: string[],
  reportSource: ReportSource & { mappingHash: string | null },
): Promise<Pick<Transfer, 'id' | 'duplicateOfId' | 'statementId'>[]> {
  const { source, fileKind, mappingHash } = reportSource;
  return tx.transfer.findMany({
    where: {
      source,
      fileKind,
      duplicateOfId: { in: ids },
      undoneAt: null,
      ...(mappingHash !== null && { statement: { mappingHash } }),
    },
    select: { id: true, duplicateOfId: true, statementId: true },
  });
}

/** Returns the hash of the mapping for a line of a CSV file, and null for any other transfer. */
export async function readMappingHash(tx: Tx, { fileKind, statementId }: Transfer): Promise<string | null> {
  if (fileKind !== 'csv' || statementId === null) return null;
  const { mappingHash } = await tx.statement.findUniqueOrThrow({
    where: { id: statementId },
    select: { mappingHash: true },
  });
  return mappingHash;
}
