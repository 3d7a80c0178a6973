import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';

/** The source of a report. Each mapping of CSV files is a separate source. */
export type ReportSource = Pick<Transfer, 'source' | 'fileKind'>;

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
