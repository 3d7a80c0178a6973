import type { Merchant, ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { readSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import type { Service } from '../../../platform/service.ts';
import { type RelistedLineCheck, syntheticPrefix } from '../../transfer/duplicates/find-reported-again.ts';
import { duplicateWindowDays } from '../../transfer/duplicates/match-duplicates.ts';
import type { TransferInput } from '../../transfer/record/draft-transfer.ts';
import { type ReportedItem, recordItems } from '../../transfer/record/record-items.ts';
import type { StatementControl } from '../check-statement.ts';
import { isOfFileAccount } from '../file-account.ts';
import { getImportCounts, type ImportCounts } from '../statement-state.ts';
import { transitionStatement } from '../transition-statement.ts';
import { applyEarlierDetails } from './apply-earlier-details.ts';
import { createEntryConverter, getSkipReason } from './convert-entry.ts';
import {
  createProgressTimer,
  getMerchantTime,
  type ImportRun,
  type StatementReading,
  transitionRun,
} from './import-run.ts';
import { promoteBatchDetails } from './promote-batch-details.ts';

const batchSize = 250;
/**
 * After this many entries, the statistics of PostgreSQL's planner are updated, because outdated statistics
 * lead to sequential scans.
 */
const analyzeThresholds = [1_000, 4_000, 16_000, 64_000];

type ImportTarget = {
  reading: StatementReading;
  merchant: Merchant;
  account: ReceivingAccount;
  /** Opens the file of another statement of the account. */
  openFile: (statement: Statement) => Promise<StatementReading>;
};

/** The entries of one transaction. */
type ImportBatch = {
  items: ReportedItem[];
  /** The number of entries that are not booked, have no amount, or are of another account. */
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
  const { account, openFile } = target;
  const { statement } = run;
  const reading = await openFile(statement);
  const relistedLineCheck = await prepareRelistedLineCheck(service, run, { reading, account });
  if (run.signal?.aborted) return transitionRun(service, run, 'queued');
  for await (const batch of readBatches(service, statement, target)) {
    if (batch.entryCount === 0) {
      await transitionRun(service, run, 'running');
      continue;
    }
    const before = run.statement.recordedCount;
    run.statement = await recordImportBatch(service, run, { ...target, relistedLineCheck }, batch);
    await analyzeTransfers(service, { before, after: run.statement.recordedCount });
    run.onProgress?.(run.statement);
    if (run.signal?.aborted) return transitionRun(service, run, 'queued');
  }
  await applyEarlierDetails(service, run, target);
  return transitionRun(service, run, 'completed', { finishedAt: await getMerchantTime(service, run) });
}

/** Yields the batches, and an empty batch about every second while it skips entries that are already recorded. */
async function* readBatches(
  db: Db,
  statement: Statement,
  { reading, account }: ImportTarget,
): AsyncGenerator<ImportBatch> {
  let batch: ImportBatch = emptyBatch();
  let position = 0;
  let fileIndex: number | undefined;
  const isSaveDue = createProgressTimer();
  // Also converts entries that are already recorded, because equal lines are distinguished by their order in the file.
  for await (const { entry, input } of convertEntries(db, { statement, reading, account })) {
    const isNextFile = entry.fileIndex !== fileIndex;
    fileIndex = entry.fileIndex;
    position += 1;
    if (position <= statement.recordedCount) {
      if (isSaveDue(position)) yield emptyBatch();
      continue;
    }
    const isReversal = input && entry.isReversal && entry.direction === 'debit';
    // The payments of the batch must be recorded first, so that the booking is recognized as their sum.
    const isNetBooking = entry.netBatchAmount !== undefined && entry.transactionCount > 1;
    const isFull = isNextFile || isReversal || isNetBooking || batch.entryCount === batchSize;
    if (batch.entryCount > 0 && isFull) {
      yield batch;
      batch = emptyBatch();
    }
    batch.entryCount += 1;
    if (input) batch.items.push({ account, kind: isReversal ? 'reversal' : entry.direction, input });
    else batch.ignoredCount += 1;
    // A reversal is alone in its batch, because it may reverse the entry before it or after it.
    if (isReversal) {
      yield batch;
      batch = emptyBatch();
    }
  }
  if (batch.entryCount > 0) yield batch;
}

function emptyBatch(): ImportBatch {
  return { items: [], ignoredCount: 0, entryCount: 0 };
}

/**
 * Records a batch and the progress of the import in one transaction, so that no entry is recorded twice if the
 * process is killed.
 */
async function recordImportBatch(
  service: Service,
  run: ImportRun,
  target: ImportTarget & { relistedLineCheck: RelistedLineCheck | undefined },
  batch: ImportBatch,
): Promise<Statement> {
  const { merchant, account, relistedLineCheck } = target;
  const systemNow = run.clock.now();
  const now = merchantNow(systemNow, merchant, account.mode);
  const actor = run.statement.importedBy;
  const context = { merchant, actor, now, systemNow, ...(relistedLineCheck && { relistedLineCheck }) };
  return transact(service, async (uow) => {
    const results = [...(await recordItems(uow, context, batch.items)).values()];
    const data = {
      resultCounts: addResults(getImportCounts(run.statement), batch.ignoredCount, results),
      recordedCount: run.statement.recordedCount + batch.entryCount,
    };
    return transitionStatement(uow, run.statement, 'running', { systemNow, data });
  });
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

/** Updates the statistics if an import has passed a threshold. */
async function analyzeTransfers(
  { prisma }: Db,
  { before, after }: { before: number; after: number },
): Promise<void> {
  if (analyzeThresholds.some((threshold) => before < threshold && threshold <= after))
    await prisma.$executeRaw`ANALYZE transfer`;
}

type ConvertibleFile = { statement: Statement; reading: StatementReading; account: ReceivingAccount };
type ConvertedEntry = { entry: StatementEntry; input: TransferInput | undefined };

/** Yields the entries of a file, each with the transfer to record; skipped entries have no `input`. */
async function* convertEntries(
  db: Db,
  { statement, reading, account }: ConvertibleFile,
): AsyncGenerator<ConvertedEntry> {
  const { id, createdAt, fileAccount } = statement;
  const { joinedFiles = {} } = getControl(statement);
  const createConverter = () => createEntryConverter(account, { statementId: id, now: createdAt });
  const joinedConverters = new Map(Object.values(joinedFiles).map((file) => [file, createConverter()]));
  let toTransfer = joinedConverters.get(0) ?? createConverter();
  let fileIndex: number | undefined;
  for await (const entry of promoteBatchDetails(db, account, reading.readEntries())) {
    // Each file numbers its equal lines from 1, because files may repeat each other. Files with pages of one statement
    // share one numbering.
    if (entry.fileIndex !== fileIndex) {
      fileIndex = entry.fileIndex;
      const file = fileIndex ?? 0;
      toTransfer = joinedConverters.get(joinedFiles[file] ?? file) ?? createConverter();
    }
    const isRecorded = getSkipReason(entry) === undefined && isOfFileAccount(entry, fileAccount);
    yield { entry, input: isRecorded ? toTransfer(entry) : undefined };
  }
}

/**
 * Prepares the search for lines that an earlier file reported with another date or wording. Returns undefined if no
 * earlier file has lines without a bank reference near the days of this file, or after an abort. Collects the
 * references of this file, because a line that it repeats unchanged needs no search.
 */
async function prepareRelistedLineCheck(
  db: Db,
  run: ImportRun,
  file: Omit<ConvertibleFile, 'statement'>,
): Promise<RelistedLineCheck | undefined> {
  const { statement } = run;
  const { unreferencedDays } = getControl(statement);
  if (!unreferencedDays) return undefined;
  const windowMs = duplicateWindowDays * dayMs;
  // Days begin and end at different times in other time zones.
  const from = new Date(Date.parse(unreferencedDays.from) - dayMs);
  const until = new Date(Date.parse(unreferencedDays.to) + 2 * dayMs);
  const accountIds = await readSharedIds(db, statement.receivingAccountId);
  const earlier = await db.prisma.transfer.findFirst({
    where: {
      receivingAccountId: { in: accountIds },
      source: 'statement',
      bankReference: { startsWith: syntheticPrefix },
      direction: 'credit',
      statementId: { not: statement.id },
      undoneAt: null,
      paidAt: {
        gte: new Date(from.getTime() - windowMs),
        lte: new Date(until.getTime() + windowMs),
      },
    },
    select: { id: true },
  });
  if (!earlier) return undefined;
  const references = new Set<string>();
  const isSaveDue = createProgressTimer();
  let position = 0;
  for await (const { input } of convertEntries(db, { ...file, statement })) {
    if (run.signal?.aborted) return undefined;
    if (input) references.add(input.bankReference);
    position += 1;
    if (isSaveDue(position)) await transitionRun(db, run, 'running');
  }
  return { ownReferences: references, from, until, byAmount: new Map() };
}

function getControl({ control }: Statement): Partial<StatementControl> {
  return (control ?? {}) as Partial<StatementControl>;
}
