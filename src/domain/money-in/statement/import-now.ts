import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '../../../../prisma/client/client.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { invalidStatementError } from '../../../statement/invalid-statement.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { storeUpload } from '../../platform/upload/store-upload.ts';
import { claimStatement } from './claim-statement.ts';
import { type ImportResult, importStatement } from './import-statement.ts';
import { runImport } from './run-import.ts';

export type ImportNowInput = MerchantScope & {
  receivingAccountId: string;
  source: AsyncIterable<Uint8Array>;
  fileName: string;
  mapping?: unknown;
  fileAccount?: string | undefined;
  actor: string;
  clock: Clock;
  onProgress?: (statement: Statement) => void;
};

/** How often to check whether the worker has finished the import. */
const pollMs = 200;

/**
 * Stores a file and imports it in this process. If a worker claims the import first, waits for the worker. If
 * this process is killed, a worker resumes the import. Errors: those of `storeUpload` and `importStatement`;
 * `invalid_statement` for an invalid file, of which nothing is imported.
 */
export async function importNow(service: Service, input: ImportNowInput): Promise<ImportResult> {
  const result = await storeAndQueue(service, input);
  const statement = await waitForImport(service, result.statement, input);
  if (statement.status === 'failed') {
    const { errorLine, errorReason } = statement;
    if (errorLine !== null) throw invalidStatementError(errorLine, errorReason ?? '');
    throw new DomainError('internal_error', errorReason ?? undefined);
  }
  return { ...result, statement };
}

async function storeAndQueue(db: Db, input: ImportNowInput): Promise<ImportResult> {
  const { source, clock, onProgress, ...rest } = input;
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: input.merchantId } });
  const upload = await storeUpload(db, { ...rest, source, now: clock.now() });
  try {
    const now = merchantNow(clock.now(), merchant, input.mode);
    return await importStatement(db, { ...rest, uploadId: upload.id, now, systemNow: clock.now() });
  } finally {
    // The upload no longer expires if it was imported. Otherwise it was rejected, or the same file had been
    // imported before.
    await db.prisma.upload.deleteMany({ where: { id: upload.id, expiresAt: { not: null } } });
  }
}

async function waitForImport(service: Service, queued: Statement, input: ImportNowInput): Promise<Statement> {
  const { clock, onProgress } = input;
  const { id } = queued;
  let statement = queued;
  while (statement.status === 'queued' || statement.status === 'running') {
    const leaseId = randomUUID();
    const claimedStatement = await claimStatement(service, { id, leaseId, systemNow: clock.now() });
    if (claimedStatement)
      return runImport(service, { statement: claimedStatement, leaseId, clock, onProgress });
    await delay(pollMs);
    statement = await service.prisma.statement.findUniqueOrThrow({ where: { id } });
    onProgress?.(statement);
  }
  return statement;
}
