import type { Merchant, ReceivingAccount, Statement } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { recordOutgoing } from '../outgoing/record-outgoing.ts';
import type { RecordContext, TransferInput } from '../transfer/draft-transfer.ts';
import { recordCredits } from '../transfer/record-credits.ts';
import { recordReversal } from '../transfer/record-reversal.ts';
import { analyzeTransfers } from './analyze-transfers.ts';
import { createEntryConverter } from './convert-entry.ts';
import { isOfFileAccount } from './file-account.ts';
import { getMerchantTime, type ImportRun, type StatementReading, transitionRun } from './import-run.ts';
import { promoteBatchDetails } from './promote-batch-details.ts';
import { getSkipReason } from './skip-reason.ts';
import { getImportCounts, type ImportCounts } from './statement-state.ts';
import { transitionStatement } from './transition-statement.ts';

const batchSize = 250;

type ImportTarget = { reading: StatementReading; merchant: Merchant; account: ReceivingAccount };

/** The entries of one transaction. `ignored` counts entries that are not booked, have no amount, or are of another account. */
type ImportBatch = {
  credits: TransferInput[];
  debits: TransferInput[];
  /** A reversal is alone in its batch, because the credit that it reverses may be the entry before it. */
  reversal?: TransferInput;
  ignoredCount: number;
  entryCount: number;
};

/**
 * The second pass: records the entries that no earlier run has recorded. Returns the statement: `completed`,
 * or `queued` again after an abort.
 */
export async function recordEntries(
  service: Service,
  run: ImportRun,
  target: ImportTarget,
): Promise<Statement> {
  for await (const batch of readBatches(service, run.statement, target)) {
    const before = run.statement.recordedCount;
    run.statement = await recordImportBatch(service, run, target, batch);
    await analyzeTransfers(service, { before, after: run.statement.recordedCount });
    run.onProgress?.(run.statement);
    if (run.signal?.aborted) return transitionRun(service, run, 'queued');
  }
  return transitionRun(service, run, 'completed', { finishedAt: await getMerchantTime(service, run) });
}

async function* readBatches(
  db: Db,
  { id, createdAt, recordedCount, fileAccount }: Statement,
  { reading, account }: ImportTarget,
): AsyncGenerator<ImportBatch> {
  let toTransfer = createEntryConverter(account, { statementId: id, now: createdAt });
  let batch: ImportBatch = emptyBatch();
  let position = 0;
  let fileIndex: number | undefined;
  for await (const entry of promoteBatchDetails(db, account, reading.readEntries())) {
    // The files of an archive are separate reports: a later one may repeat the entries of an earlier one.
    if (entry.fileIndex !== fileIndex) {
      fileIndex = entry.fileIndex;
      toTransfer = createEntryConverter(account, { statementId: id, now: createdAt });
      if (batch.entryCount > 0) yield batch;
      batch = emptyBatch();
    }
    // Converts entries that are already recorded, too, because equal lines are distinguished by their order
    // in the file.
    const isRecorded = getSkipReason(entry) === undefined && isOfFileAccount(entry, fileAccount);
    const input = isRecorded ? toTransfer(entry) : undefined;
    position += 1;
    if (position <= recordedCount) continue;
    const isReversal = input && entry.isReversal && entry.direction === 'debit';
    if (batch.entryCount > 0 && (isReversal || batch.entryCount === batchSize)) {
      yield batch;
      batch = emptyBatch();
    }
    batch.entryCount += 1;
    if (isReversal) {
      yield { ...batch, reversal: input };
      batch = emptyBatch();
    } else if (!input) batch.ignoredCount += 1;
    else (entry.direction === 'credit' ? batch.credits : batch.debits).push(input);
  }
  if (batch.entryCount > 0) yield batch;
}

function emptyBatch(): ImportBatch {
  return { credits: [], debits: [], ignoredCount: 0, entryCount: 0 };
}

/**
 * Records a batch and the progress of the import in one transaction, so that no entry is recorded twice if the
 * process is killed.
 */
async function recordImportBatch(
  service: Service,
  run: ImportRun,
  target: ImportTarget,
  batch: ImportBatch,
): Promise<Statement> {
  const { merchant, account } = target;
  const systemNow = run.clock.now();
  const now = merchantNow(systemNow, merchant, account.mode);
  const context = { merchant, account, actor: run.statement.importedBy, now };
  const { reversal } = batch;
  return transact(service, async (uow) => {
    const results = reversal
      ? [await recordReversal(uow, context, reversal)]
      : await recordCreditsAndDebits(uow, context, batch);
    const data = {
      resultCounts: addResults(getImportCounts(run.statement), batch.ignoredCount, results),
      recordedCount: run.statement.recordedCount + batch.entryCount,
    };
    return transitionStatement(uow, run.statement, 'running', { systemNow, data });
  });
}

async function recordCreditsAndDebits(
  uow: UnitOfWork<Service>,
  context: RecordContext,
  { credits, debits }: ImportBatch,
) {
  const creditResults = await recordCredits(uow, context, credits);
  return [...creditResults, ...(await recordOutgoing(uow, context, debits))];
}

function addResults(
  counts: ImportCounts,
  ignored: number,
  results: readonly { status: keyof ImportCounts }[],
): ImportCounts {
  const sum = { ...counts, ignored: counts.ignored + ignored };
  for (const { status } of results) sum[status] += 1;
  return sum;
}
