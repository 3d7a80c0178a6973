import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '../../../../prisma/client/client.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Owner } from '../../../kit/owner.ts';
import { invalidStatement } from '../../../statement/invalid-statement.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { storeUpload } from '../../platform/upload/store-upload.ts';
import { claimStatement } from './claim-statement.ts';
import { type Imported, importStatement } from './import-statement.ts';
import { runImport } from './run-import.ts';

export type ImportNowInput = Owner & {
  receivingAccountId: string;
  source: AsyncIterable<Uint8Array>;
  fileName: string;
  mapping?: unknown;
  actor: string;
  clock: Clock;
  onProgress?: (statement: Statement) => void;
};

/** How often to look whether a worker that was quicker has done the import. */
const pollMs = 200;

/**
 * Keeps a file and imports it in this process, without waiting for a worker; where one is quicker, waits for it. Killed
 * on the way, a worker goes on. Errors: those of storeUpload and importStatement; `invalid_statement` for a broken
 * file, of which nothing was imported.
 */
export async function importNow(service: Service, input: ImportNowInput): Promise<Imported> {
  const imported = await keepAndQueue(service, input);
  const statement = await finish(service, imported.statement, input);
  if (statement.status === 'failed') {
    const { errorLine, errorReason } = statement;
    if (errorLine !== null) throw invalidStatement(errorLine, errorReason ?? '');
    throw new DomainError('internal_error', errorReason ?? undefined);
  }
  return { ...imported, statement };
}

async function keepAndQueue(db: Db, input: ImportNowInput): Promise<Imported> {
  const { source, clock, onProgress, ...owned } = input;
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: input.merchantId } });
  const upload = await storeUpload(db, { ...owned, source, now: clock.now() });
  try {
    const now = merchantNow(clock.now(), merchant, input.mode);
    return await importStatement(db, { ...owned, uploadId: upload.id, now, machineNow: clock.now() });
  } finally {
    // What is imported no longer expires. Of a refused file, or one imported before, nobody knows this copy.
    await db.prisma.upload.deleteMany({ where: { id: upload.id, expiresAt: { not: null } } });
  }
}

async function finish(service: Service, queued: Statement, input: ImportNowInput): Promise<Statement> {
  const { clock, onProgress } = input;
  const { id } = queued;
  let statement = queued;
  while (statement.status === 'queued' || statement.status === 'running') {
    const holder = randomUUID();
    const claimed = await claimStatement(service, { id, holder, at: clock.now() });
    if (claimed) return runImport(service, { statement: claimed, holder, clock, onProgress });
    await delay(pollMs);
    statement = await service.prisma.statement.findUniqueOrThrow({ where: { id } });
    onProgress?.(statement);
  }
  return statement;
}
