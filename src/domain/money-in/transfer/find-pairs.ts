import type { Transfer } from '../../../../prisma/client/client.ts';
import type { Tx } from '../../../kit/db.ts';

/** Who told of money; lines of CSV are told by their mapping too. */
export type ReportSource = Pick<Transfer, 'source' | 'fileKind'>;

/** The twins of these that one teller has told of already. */
export async function findPairs(
  tx: Tx,
  ids: string[],
  reportSource: ReportSource & { mapping: string | null },
): Promise<Pick<Transfer, 'id' | 'sameAsId'>[]> {
  const { source, fileKind, mapping } = reportSource;
  return tx.transfer.findMany({
    where: {
      source,
      fileKind,
      sameAsId: { in: ids },
      ...(mapping !== null && { statement: { mappingHash: mapping } }),
    },
    select: { id: true, sameAsId: true },
  });
}

/** By which mapping a line of a CSV file was read; null of everything else. */
export async function readMappingHash(tx: Tx, { fileKind, statementId }: Transfer): Promise<string | null> {
  if (fileKind !== 'csv' || statementId === null) return null;
  const { mappingHash } = await tx.statement.findUniqueOrThrow({
    where: { id: statementId },
    select: { mappingHash: true },
  });
  return mappingHash;
}
