import type { Merchant, ReceivingAccount, Statement } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { instantOf } from '../../../kit/instant-of.ts';
import { sha256 } from '../../../kit/secrets.ts';
import { foldReference } from '../../../method/nonce.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';
import { merchantNow } from '../../platform/clock/merchant-now.ts';
import type { Service } from '../../platform/service.ts';
import { recordOutgoingTogether } from '../outgoing/record-outgoing.ts';
import {
  type Recording,
  reversalReference,
  standInReference,
  type TransferInput,
} from '../transfer/draft-transfer.ts';
import { recordBatchTogether } from '../transfer/record-batch.ts';
import { recordReversalTogether } from '../transfer/record-reversal.ts';
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

const payerNameMax = 200;
/** What an index of the database has room for. No bank's reference is as long, but a column taken for one may be. */
const bankReferenceBytesMax = 2_000;

/**
 * Turns the entries of one file into transfers. Where the bank gives no reference, (booking date, amount, currency,
 * folded text, ordinal among equal lines of that date in the file) stands for it. What takes a credit back has an
 * identity of its own, since banks repeat the reference of the credit.
 */
function entryReader(
  account: ReceivingAccount,
  options: { statementId: string; now: Date },
): (entry: StatementEntry) => TransferInput {
  const ordinals = new Map<string, number>();
  return (told) => {
    const entry = withStorableReferences(told);
    const reference = [entry.reference, entry.additionalInfo].filter(Boolean).join(' ');
    const amount = `${entry.amount.minor} ${entry.amount.currency}`;
    const takesBack = entry.reversal && entry.direction === 'debit';
    const way = takesBack ? 'reversal ' : entry.direction === 'debit' ? 'debit ' : '';
    const { own, isReused } = identify(entry, { way, amount, reference, ordinals });
    return {
      source: 'statement',
      fileKind: entry.kind,
      bankReference: takesBack ? reversalReference(own) : own,
      batchReference: entry.batchReference,
      reverses: takesBack ? entry.bankReference : undefined,
      // Banks word the same booking differently in their interim and final files: only the amount must agree.
      content: amount,
      money: entry.amount,
      reference,
      payerName: entry.counterpartyName?.slice(0, payerNameMax).toWellFormed(),
      ...paidAt(entry, account, options.now),
      statementId: options.statementId,
      exception: isReused ? 'id_reused' : exceptionOf(entry),
    };
  };
}

function withStorableReferences(entry: StatementEntry): StatementEntry {
  const { bankReference, batchReference } = entry;
  return {
    ...entry,
    ...(bankReference !== undefined && { bankReference: storable(bankReference) }),
    ...(batchReference !== undefined && { batchReference: storable(batchReference) }),
  };
}

function storable(reference: string): string {
  const fits = Buffer.byteLength(reference) <= bankReferenceBytesMax;
  return fits ? reference : `sha256:${sha256(reference)}`;
}

/**
 * What the line is known by. No file lists a movement twice: a second one of the same reference and amount is another
 * movement whose bank uses its references again, and a person decides.
 */
function identify(
  { bankReference, bookedOn = '' }: StatementEntry,
  given: { way: string; amount: string; reference: string; ordinals: Map<string, number> },
): { own: string; isReused: boolean } {
  const { way, amount, reference, ordinals } = given;
  const standIn = sha256(
    bankReference === undefined
      ? `${bookedOn} ${way}${amount} ${foldReference(reference)}`
      : JSON.stringify([bankReference, way, amount]),
  );
  const ordinal = (ordinals.get(standIn) ?? 0) + 1;
  ordinals.set(standIn, ordinal);
  if (bankReference === undefined) return { own: standInReference(standIn, ordinal), isReused: false };
  const isReused = ordinal > 1;
  return { own: isReused ? `${bankReference}#${ordinal}` : bankReference, isReused };
}

/** What has to be looked at by a person: several payments booked as one, and the merchant's own coming back. */
function exceptionOf(entry: StatementEntry): TransferInput['exception'] {
  if (entry.returned || entry.reversal) return 'returned_payment';
  return entry.transactionCount > 1 ? 'batch' : undefined;
}

/** The booking time where the bank gives one, else the date alone; a line without any date is as late as its import. */
function paidAt(
  entry: StatementEntry,
  account: ReceivingAccount,
  now: Date,
): { paidAt: Date; paidAtIsDate: boolean } {
  if (entry.bookedAt) return { paidAt: entry.bookedAt, paidAtIsDate: false };
  if (entry.bookedAtLocal)
    return { paidAt: instantOf(entry.bookedAtLocal, account.timeZone), paidAtIsDate: false };
  const date = entry.bookedOn ?? entry.valueOn;
  return date
    ? { paidAt: new Date(`${date}T00:00:00Z`), paidAtIsDate: true }
    : { paidAt: now, paidAtIsDate: false };
}
