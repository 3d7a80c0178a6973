import type { Charge, Statement } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { claimStatement } from '../../src/domain/money-in/statement/claim-statement.ts';
import { type ImportResult, importStatement } from '../../src/domain/money-in/statement/import-statement.ts';
import { runImport } from '../../src/domain/money-in/statement/run-import.ts';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { chunks } from './chunks.ts';
import { csvMapping } from './csv-mapping.ts';

type File = {
  content: string | Uint8Array;
  receivingAccountId: string;
  mapping?: object | undefined;
  now: Date;
};

/** Has a file imported by whoever claims it. */
export async function queueFile(
  service: Service,
  { merchant }: NewMerchant,
  { content, receivingAccountId, mapping, now }: File,
): Promise<ImportResult> {
  const owner = { merchantId: merchant.id, mode: 'live', actor: 'user:ada' } as const;
  const file = { ...owner, fileName: 'file', source: chunks(content, 1000), now };
  const { id: uploadId } = await storeUpload(service, file);
  return importStatement(service, { ...owner, uploadId, receivingAccountId, mapping, now, machineNow: now });
}

/** Imports a file as a worker does, to its end. */
export async function importFile(service: Service, merchant: NewMerchant, file: File): Promise<Statement> {
  const { now } = file;
  const { statement } = await queueFile(service, merchant, file);
  const claimed = await claimStatement(service, { id: statement.id, leaseId: 'test', at: now });
  if (!claimed) throw new Error(`${statement.id} is ${statement.status} already`);
  return runImport(service, { statement: claimed, leaseId: 'test', clock: { now: () => now } });
}

/** A CSV file of so many lines, of which the last pays HKD 128.50 with the word. */
export function csvLines(nonce: string, total: number): { content: string; mapping: object } {
  const day = '2026-11-17';
  const rows = Array.from({ length: total }, (_, index) =>
    index === total - 1 ? `${day},128.50,${nonce}` : `${day},1,same`,
  );
  return {
    content: `Date,Amount,Text\n${rows.join('\n')}\n`,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
  };
}

/** What came of a file, without what came not. */
export function outcomeOf(statement: Statement): Record<string, number> {
  return Object.fromEntries(Object.entries(getImportCounts(statement)).filter(([, value]) => value > 0));
}

/** What the charge has received, by the database. */
export async function receivedOf(service: Service, { id }: Charge): Promise<bigint> {
  return (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).amountReceived;
}
