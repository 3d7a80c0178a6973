import type { Statement } from '../../../../prisma/client/client.ts';
import type { Clock } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import { invalidStatementError } from '../../../statement/invalid-statement.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { storeUpload } from '../../platform/upload/store-upload.ts';
import { finishNow } from './finish-now.ts';
import { type ImportResult, importStatement } from './import-statement.ts';

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

/**
 * Stores a file and imports it in this process. If a worker claims the import first, waits for the worker. If
 * this process is killed, a worker resumes the import. Errors: those of `storeUpload` and `importStatement`;
 * `invalid_statement` for an invalid file, of which nothing is imported; `statement_not_in_progress` if a user
 * cancels the import.
 */
export async function importNow(service: Service, input: ImportNowInput): Promise<ImportResult> {
  const result = await storeAndQueue(service, input);
  const statement = await finishNow(service, result.statement, input);
  if (statement.status === 'cancelled')
    throw new DomainError('statement_not_in_progress', `The import ${statement.id} was cancelled`);
  if (statement.status === 'failed') {
    const { errorLine, failureReason } = statement;
    if (errorLine !== null) throw invalidStatementError(errorLine, failureReason ?? '');
    throw new DomainError('internal_error', failureReason ?? undefined);
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
