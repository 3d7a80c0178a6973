import type { ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import type { StatementSummary } from '../../../../statement/control-totals.ts';
import { InvalidStatement } from '../../../../statement/invalid-statement.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import type { Service } from '../../../platform/service.ts';
import { checkStatement, type StatementControl } from '../check-statement.ts';
import { chooseFileAccount, type FileAccounts, selectOwnSummaries } from '../file-account.ts';
import {
  createProgressTimer,
  getMerchantTime,
  type ImportRun,
  openReading,
  type ReadingListeners,
  type StatementReading,
  transitionRun,
} from './import-run.ts';
import { isBatchDetail } from './promote-batch-details.ts';
import { recordEntries } from './record-entries.ts';

/**
 * Imports a claimed statement in two passes: the first validates the file, the second records its entries in
 * batches, each together with the progress. An invalid file therefore imports nothing, and any process can
 * resume an interrupted import. Returns the statement: `completed`, `awaiting_confirmation`, `failed` with
 * line and reason, or `queued` again after an abort. Throws `LeaseLostError` if another process has taken
 * over, and database errors.
 */
export async function runImport(service: Service, run: ImportRun): Promise<Statement> {
  const { receivingAccount } = await service.prisma.statement.findUniqueOrThrow({
    where: { id: run.statement.id },
    include: { receivingAccount: { include: { merchant: true } } },
  });
  const { merchant, ...account } = receivingAccount;
  const openFile = (statement: Statement) => openReading(service, statement, account);
  if (run.statement.entryCount === null)
    await validateFile(service, run, { reading: await openFile(run.statement), account });
  if (run.statement.status !== 'running') return run.statement;
  const reading = await openFile(run.statement);
  const target = { merchant, account, openFile };
  return recordEntries(service, run, { reading, ...target });
}

/** Limits the size of the statement's row. */
const detailBatchesMax = 10_000;

/**
 * The first pass: validates the whole file, counts its entries and checks its control totals, without
 * recording anything. Returns the statement: still `running`, `awaiting_confirmation` if the checks find
 * discrepancies, `failed` with line and reason, or `queued` again after an abort.
 */
async function validateFile(
  db: Db,
  run: ImportRun,
  { reading, account }: { reading: StatementReading; account: ReceivingAccount },
): Promise<Statement> {
  const isSaveDue = createProgressTimer();
  let entryCount = 0;
  const detailBatches = new Set<string>();
  let unreferencedDays: StatementControl['unreferencedDays'];
  let format = '';
  const accounts: FileAccounts = new Set();
  const summaries: StatementSummary[] = [];
  const listeners: ReadingListeners = {
    onKind: (kind) => {
      format ||= kind;
    },
    onStatement: (summary) => summaries.push(summary),
  };
  try {
    for await (const entry of reading.readEntries(listeners)) {
      accounts.add(entry.accountId);
      if (isBatchDetail(entry) && detailBatches.size < detailBatchesMax)
        detailBatches.add(entry.batchReference!);
      unreferencedDays = addUnreferencedDay(unreferencedDays, entry, account);
      entryCount += 1;
      if (!isSaveDue(entryCount)) continue;
      if (run.signal?.aborted) return await transitionRun(db, run, 'queued');
      await transitionRun(db, run, 'running', { bytesRead: BigInt(reading.getBytesRead()) });
      run.onProgress?.(run.statement);
    }
  } catch (error) {
    if (!(error instanceof InvalidStatement)) throw error;
    return failRun(db, run, { line: error.line, reason: error.reason, format });
  }
  const choice = chooseFileAccount(accounts, {
    ownAccount: account.account,
    chosen: run.statement.fileAccount,
  });
  if ('error' in choice) return failRun(db, run, { line: 1, reason: choice.error, format });
  const { fileAccount = null } = choice;
  const { control, discrepancies } = await checkStatement(db, run.statement, {
    account,
    summaries: selectOwnSummaries(summaries, fileAccount),
  });
  const data = {
    entryCount,
    format,
    fileAccount,
    bytesRead: run.statement.size,
    control: {
      ...control,
      ...(unreferencedDays && { unreferencedDays }),
      ...(detailBatches.size > 0 && { detailBatches: [...detailBatches] }),
    },
  };
  return discrepancies.count === 0
    ? transitionRun(db, run, 'running', data)
    : transitionRun(db, run, 'awaiting_confirmation', { ...data, discrepancies });
}

/** Extends the days by that of an entry without a bank reference. */
function addUnreferencedDay(
  days: StatementControl['unreferencedDays'],
  { bankReference, bookedOn, valueOn }: StatementEntry,
  { reusesBankReferences }: ReceivingAccount,
): StatementControl['unreferencedDays'] {
  const day = bookedOn ?? valueOn;
  if (day === undefined || (bankReference !== undefined && !reusesBankReferences)) return days;
  const { from, to } = days ?? { from: day, to: day };
  return { from: day < from ? day : from, to: day > to ? day : to };
}

async function failRun(
  db: Db,
  run: ImportRun,
  { line, reason, format }: { line: number; reason: string; format: string },
): Promise<Statement> {
  return transitionRun(db, run, 'failed', {
    errorLine: line,
    failureReason: reason,
    finishedAt: await getMerchantTime(db, run),
    format,
  });
}
