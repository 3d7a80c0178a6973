import { setTimeout as delay } from 'node:timers/promises';
import type { Statement } from '../../../../../prisma/client/client.ts';
import type { Clock } from '../../../../kit/clock.ts';
import type { Db } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { invalidStatementError } from '../../../../statement/invalid-statement.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import type { Service } from '../../../platform/service.ts';
import { storeUpload } from '../../../platform/upload/store-upload.ts';
import { claimStatement, LeaseLostError } from '../transition-statement.ts';
import { runUndo } from '../undo/run-undo.ts';
import { type ImportResult, importStatement } from './import-statement.ts';
import { runImport } from './run-import.ts';

type ImportNowInput = MerchantScope & {
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

/** How often to check whether the worker has finished. */
const pollMs = 200;

/**
 * Imports or undoes a statement in this process until it has finished or awaits confirmation. If a worker claims it
 * first, waits for the worker. Returns the statement in its last status.
 */
export async function finishNow(
  service: Service,
  started: Statement,
  { clock, onProgress }: { clock: Clock; onProgress?: ((statement: Statement) => void) | undefined },
): Promise<Statement> {
  const { id } = started;
  let statement = started;
  while (['queued', 'running', 'undoing'].includes(statement.status)) {
    const claimed = await claimStatement(service, { id, systemNow: clock.now() });
    if (claimed) {
      try {
        const run = { statement: claimed, clock, onProgress };
        return claimed.status === 'undoing' ? await runUndo(service, run) : await runImport(service, run);
      } catch (error) {
        // Another process has taken over, or a user has cancelled the import.
        if (!(error instanceof LeaseLostError)) throw error;
      }
    }
    await delay(pollMs);
    statement = await service.prisma.statement.findUniqueOrThrow({ where: { id } });
    onProgress?.(statement);
  }
  return statement;
}
