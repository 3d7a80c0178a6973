import type { Db, Tx } from '../../../kit/db.ts';
import { type CsvMapping, checkCsvMapping } from '../../../statement/csv-mapping.ts';

/** How CSV files of an account's bank are read, once that is known. */
export async function findStatementMapping(
  { prisma }: Db,
  receivingAccountId: string,
): Promise<CsvMapping | undefined> {
  const row = await prisma.statementMapping.findUnique({ where: { receivingAccountId } });
  return row ? checkCsvMapping(row.mapping) : undefined;
}

/**
 * How a CSV file is read: as is said, else as the account's files were read last; undefined where there were none.
 * Error: `invalid_request` for a mapping that is none.
 */
export async function chooseMapping(
  db: Db,
  { mapping, receivingAccountId }: { mapping?: unknown; receivingAccountId: string },
): Promise<{ mapping: CsvMapping; mappingFrom: 'given' | 'account' } | undefined> {
  if (mapping != null) return { mapping: checkCsvMapping(mapping), mappingFrom: 'given' };
  const stored = await findStatementMapping(db, receivingAccountId);
  return stored && { mapping: stored, mappingFrom: 'account' };
}

/** Keeps it for the files to come. The account must be known to be the caller's. */
export async function storeStatementMapping(
  tx: Tx,
  input: { receivingAccountId: string; mapping: CsvMapping; actor: string; now: Date },
): Promise<void> {
  const { receivingAccountId, mapping, actor, now } = input;
  const data = { mapping, updatedBy: actor, updatedAt: now };
  await tx.statementMapping.upsert({
    where: { receivingAccountId },
    create: { receivingAccountId, ...data },
    update: data,
  });
}
