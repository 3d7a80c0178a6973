import type { Db, Tx } from '../../kit/db.ts';
import { type CsvMapping, checkCsvMapping } from '../../statement/csv-mapping.ts';

/** How CSV files of an account's bank are read, once that is known. */
export async function findStatementMapping(
  { prisma }: { prisma: Db['prisma'] | Tx },
  receivingAccountId: string,
): Promise<CsvMapping | undefined> {
  const row = await prisma.statementMapping.findUnique({ where: { receivingAccountId } });
  return row ? checkCsvMapping(row.mapping) : undefined;
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
