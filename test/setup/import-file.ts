import type { Charge, Statement } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Service } from '../../src/domain/service.ts';
import { claimStatement } from '../../src/domain/statement/claim-statement.ts';
import { importStatement } from '../../src/domain/statement/import-statement.ts';
import { runImport } from '../../src/domain/statement/run-import.ts';
import { countsOf } from '../../src/domain/statement/statement-state.ts';
import { storeUpload } from '../../src/domain/upload/store-upload.ts';
import { chunks } from '../statement/read.ts';

/** Imports a file as a worker does, to its end. */
export async function importFile(
  service: Service,
  { merchant }: NewMerchant,
  options: {
    content: string | Uint8Array;
    receivingAccountId: string;
    mapping?: object | undefined;
    now: Date;
  },
): Promise<Statement> {
  const { content, receivingAccountId, mapping, now } = options;
  const owner = { merchantId: merchant.id, mode: 'live', actor: 'user:ada' } as const;
  const file = { ...owner, fileName: 'file', source: chunks(content, 1000), now };
  const { id: uploadId } = await storeUpload(service, file);
  const { statement } = await importStatement(service, {
    ...owner,
    uploadId,
    receivingAccountId,
    mapping,
    now,
    at: now,
  });
  const claimed = await claimStatement(service, { id: statement.id, holder: 'test', at: now });
  if (!claimed) throw new Error(`${statement.id} is ${statement.status} already`);
  return runImport(service, { statement: claimed, holder: 'test', clock: { now: () => now } });
}

/** What came of a file, without what came not. */
export function outcomeOf(statement: Statement): Record<string, number> {
  return Object.fromEntries(Object.entries(countsOf(statement)).filter(([, value]) => value > 0));
}

/** What the charge has received, by the database. */
export async function receivedOf(service: Service, { id }: Charge): Promise<bigint> {
  return (await service.prisma.charge.findUniqueOrThrow({ where: { id } })).amountReceived;
}
