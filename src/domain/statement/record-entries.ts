import type { Merchant, ReceivingAccount, Statement } from '../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import type { StatementEntry } from '../../statement/statement-entry.ts';
import { recordOutgoingTogether } from '../payout/record-outgoing.ts';
import type { Service } from '../service.ts';
import { merchantNow } from '../test-clock/merchant-now.ts';
import type { Recording, TransferInput } from '../transfer/draft-transfer.ts';
import { recordBatchTogether } from '../transfer/record-batch.ts';
import { recordReversalTogether } from '../transfer/record-reversal.ts';
import { entryReader } from './entry-to-transfer.ts';
import { type ImportRun, moveStatement, type Reading, timeOf } from './import-run.ts';
import { countsOf, type ImportCounts } from './statement-state.ts';
import { transitionStatement } from './transition-statement.ts';

/** Entries that are recorded in one transaction. */
const batchSize = 250;

type Target = { reading: Reading; merchant: Merchant; account: ReceivingAccount };

/** What one transaction records. `ignored`: what is not booked, or moves nothing; it is only counted. */
type Batch = {
  credits: TransferInput[];
  debits: TransferInput[];
  /** Alone in its batch: what it takes back may stand right before it. */
  reversal?: TransferInput;
  ignored: number;
  entries: number;
};

/**
 * The second reading: records what no earlier run has recorded. Answers the statement: done, or queued again after the
 * signal.
 */
export async function recordEntries(service: Service, given: ImportRun, target: Target): Promise<Statement> {
  const run = { ...given };
  for await (const batch of batches(run.statement, target)) {
    const before = run.statement.recorded;
    run.statement = await record(service, run, target, batch);
    if (countsAnew.some((size) => before < size && size <= run.statement.recorded)) await analyze(service);
    run.onProgress?.(run.statement);
    if (run.signal?.aborted) return moveStatement(service, run, 'queued');
  }
  return moveStatement(service, run, 'done', { finishedAt: await timeOf(service, run) });
}

async function* batches(
  { id, createdAt, recorded }: Statement,
  { reading, account }: Target,
): AsyncGenerator<Batch> {
  const toTransfer = entryReader(account, { statementId: id, now: createdAt });
  let batch: Batch = emptyBatch();
  let seen = 0;
  for await (const entry of reading.entries()) {
    // Read also where it is recorded already: equal lines are told apart by their order in the file.
    const input = hasMoved(entry) ? toTransfer(entry) : undefined;
    seen += 1;
    if (seen <= recorded) continue;
    const takesBack = input && entry.reversal && entry.direction === 'debit';
    if (batch.entries > 0 && (takesBack || batch.entries === batchSize)) {
      yield batch;
      batch = emptyBatch();
    }
    batch.entries += 1;
    if (takesBack) {
      yield { ...batch, reversal: input };
      batch = emptyBatch();
    } else if (!input) batch.ignored += 1;
    else (entry.direction === 'credit' ? batch.credits : batch.debits).push(input);
  }
  if (batch.entries > 0) yield batch;
}

function emptyBatch(): Batch {
  return { credits: [], debits: [], ignored: 0, entries: 0 };
}

function hasMoved(entry: StatementEntry): boolean {
  return entry.status === 'booked' && entry.amount.minor > 0n;
}

/**
 * After so many entries PostgreSQL counts anew what is there: else it takes the table for as small as it was, and reads
 * all of it.
 */
const countsAnew = [1_000, 4_000, 16_000, 64_000];

async function analyze({ prisma }: Db): Promise<void> {
  await prisma.$executeRaw`ANALYZE transfer`;
}

/**
 * Records a batch, and in the same transaction how far the import has come: nothing is counted twice, whoever is killed
 * when.
 */
async function record(service: Service, run: ImportRun, target: Target, batch: Batch): Promise<Statement> {
  const { merchant, account } = target;
  const at = run.clock.now();
  const now = merchantNow(at, merchant, account.mode);
  const recording = { merchant, account, actor: run.statement.importedBy, now };
  const { reversal } = batch;
  return transact(service, async (uow) => {
    const results = reversal
      ? [await recordReversalTogether(uow, recording, reversal)]
      : await recordMoved(uow, recording, batch);
    const data = {
      result: addTo(countsOf(run.statement), batch.ignored, results),
      recorded: run.statement.recorded + batch.entries,
    };
    return transitionStatement(uow, run.statement, 'running', { holder: run.holder, at, data });
  });
}

async function recordMoved(uow: UnitOfWork<Service>, recording: Recording, { credits, debits }: Batch) {
  const came = await recordBatchTogether(uow, recording, credits);
  return [...came, ...(await recordOutgoingTogether(uow, recording, debits))];
}

function addTo(
  counts: ImportCounts,
  ignored: number,
  results: readonly { status: keyof ImportCounts }[],
): ImportCounts {
  const sum = { ...counts, ignored: counts.ignored + ignored };
  for (const { status } of results) sum[status] += 1;
  return sum;
}
