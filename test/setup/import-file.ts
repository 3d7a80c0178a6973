import type { Charge, Statement } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import {
  type ImportResult,
  importStatement,
} from '../../src/domain/money-in/statement/import/import-statement.ts';
import { runImport } from '../../src/domain/money-in/statement/import/run-import.ts';
import { getImportCounts } from '../../src/domain/money-in/statement/statement-state.ts';
import { claimStatement } from '../../src/domain/money-in/statement/transition-statement.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { storeUpload } from '../../src/domain/platform/upload/store-upload.ts';
import { noon } from './seed.ts';
import { camtXml, csvMapping, toChunks } from './statement-files.ts';

type ImportedFile = {
  content: string | Uint8Array;
  receivingAccountId: string;
  mapping?: object | undefined;
  fileAccount?: string;
  now: Date;
};

export async function queueFile(
  service: Service,
  { merchant }: NewMerchant,
  { content, receivingAccountId, mapping, fileAccount, now }: ImportedFile,
): Promise<ImportResult> {
  const owner = { merchantId: merchant.id, mode: 'live', actor: 'user:ada' } as const;
  const file = { ...owner, fileName: 'file', source: toChunks(content, 1000), now };
  const { id: uploadId } = await storeUpload(service, file);
  return importStatement(service, {
    ...owner,
    uploadId,
    receivingAccountId,
    mapping,
    fileAccount,
    now,
    systemNow: now,
  });
}

/** Imports a file completely, as a worker does. */
export async function importFile(
  service: Service,
  merchant: NewMerchant,
  file: ImportedFile,
): Promise<Statement> {
  const { now } = file;
  const { statement } = await queueFile(service, merchant, file);
  const claimed = await claimStatement(service, { id: statement.id, systemNow: now });
  if (!claimed) throw new Error(`${statement.id} is ${statement.status} already`);
  return runImport(service, { statement: claimed, clock: { now: () => now } });
}

/** Imports camt entries for the account of a charge at noon. */
export function importXml(
  service: Service,
  merchant: NewMerchant,
  { receivingAccountId }: Pick<Charge, 'receivingAccountId'>,
  entries: string,
  message: '053' | '054' = '053',
): Promise<Statement> {
  return importFile(service, merchant, {
    content: camtXml(entries, { message }),
    receivingAccountId,
    now: noon,
  });
}

/**
 * Returns a CSV file of `total` rows, of which the last one pays HKD 128.50 with the payment reference, and its
 * mapping.
 */
export function csvLines(paymentReference: string, total: number): { content: string; mapping: object } {
  const day = '2026-11-17';
  const rows = Array.from({ length: total }, (_, index) =>
    index === total - 1 ? `${day},128.50,${paymentReference}` : `${day},1,same`,
  );
  return {
    content: `Date,Amount,Text\n${rows.join('\n')}\n`,
    mapping: csvMapping({ referenceColumns: ['Text'] }),
  };
}

/** Returns the counts of an import that are not zero. */
export function getNonZeroCounts(statement: Statement): Record<string, number> {
  return Object.fromEntries(Object.entries(getImportCounts(statement)).filter(([, value]) => value > 0));
}

export async function getReceivedAmount(service: Service, { id }: Charge): Promise<bigint> {
  return (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).amountReceived;
}
