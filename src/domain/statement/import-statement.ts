import { createHash } from 'node:crypto';
import type { Merchant, ReceivingAccount, Statement, TransferStatus } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import { readStatement } from '../../statement/read-statement.ts';
import type { StatementEntry } from '../../statement/statement-entry.ts';
import type { TransferInput } from '../transfer/draft-transfer.ts';
import { recordBatch } from '../transfer/record-batch.ts';
import { entryReader } from './entry-to-transfer.ts';

/** How many entries came to what. `ignored` are debits, and what is not booked. */
export type ImportCounts = Record<TransferStatus | 'ignored', number>;

export type ImportResult = {
  statement: Statement;
  entries: number;
  counts: ImportCounts;
  /** True when this very file had been imported to its end before: nothing was done. */
  alreadyImported: boolean;
};

export type ImportOptions = {
  merchant: Merchant;
  account: ReceivingAccount;
  /** Opens the file; it is read twice, since a broken file must import nothing. */
  open: () => AsyncIterable<Uint8Array>;
  fileName: string;
  actor: string;
  now: Date;
  /** Called now and then with the number of entries done. */
  onProgress?: (done: number, total: number) => void;
};

const progressEvery = 1_000;
const batchSize = 250;

/**
 * Imports a bank statement: every booked credit becomes a transfer and is matched. Broken off and repeated, it goes on:
 * what is recorded already counts as `duplicate`. Error: `invalid_statement` naming line and reason; then nothing of
 * the file was imported.
 */
export async function importStatement(db: Db, options: ImportOptions): Promise<ImportResult> {
  const { account, now } = options;
  const { fileHash, format, entries } = await checkWhole(options);
  const known = await db.prisma.statement.findFirst({ where: { receivingAccountId: account.id, fileHash } });
  if (known && isFinished(known)) {
    const { finishedAt: _, ...counts } = known.result as ImportCounts & { finishedAt: string };
    return { statement: known, entries: known.entries ?? 0, counts, alreadyImported: true };
  }
  const statement = known ?? (await createStatement(db, options, { fileHash, format, entries }));
  const counts = await recordEntries(db, options, { statement, total: entries });
  const finished = await db.prisma.statement.update({
    where: { id: statement.id },
    data: { result: { ...counts, finishedAt: now.toISOString() } },
  });
  return { statement: finished, entries, counts, alreadyImported: false };
}

function isFinished(statement: Statement): boolean {
  return (statement.result as { finishedAt?: string }).finishedAt !== undefined;
}

/** First reading: the file is well-formed to its end, and what it is. */
async function checkWhole(
  options: ImportOptions,
): Promise<{ fileHash: string; format: string; entries: number }> {
  const hash = createHash('sha256');
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const chunk of options.open()) {
      hash.update(chunk);
      yield chunk;
    }
  }
  let entries = 0;
  let format = '';
  const onFormat = (found: string) => {
    format = found;
  };
  for await (const _ of readStatement(hashed(), { onFormat })) entries++;
  return { fileHash: hash.digest('hex'), format, entries };
}

async function createStatement(
  db: Db,
  { merchant, account, fileName, actor, now }: ImportOptions,
  file: { fileHash: string; format: string; entries: number },
): Promise<Statement> {
  return db.prisma.statement.create({
    data: {
      ...file,
      id: newId('statement', now),
      merchantId: merchant.id,
      mode: account.mode,
      receivingAccountId: account.id,
      fileName,
      importedBy: actor,
      result: {},
      createdAt: now,
    },
  });
}

/** Second reading: in batches, each a transaction, so that a large file holds no locks for long. */
async function recordEntries(
  db: Db,
  options: ImportOptions,
  progress: { statement: Statement; total: number },
): Promise<ImportCounts> {
  const { account, now } = options;
  const counts: ImportCounts = {
    matched: 0,
    partial: 0,
    over: 0,
    exception: 0,
    duplicate: 0,
    returned: 0,
    ignored: 0,
  };
  const toTransfer = entryReader(account, { statementId: progress.statement.id, now });
  let batch: TransferInput[] = [];
  let done = 0;
  const record = async () => {
    for (const { status } of await recordBatch(db, options, batch)) counts[status]++;
    batch = [];
  };
  for await (const entry of readStatement(options.open())) {
    if (isMoneyIn(entry)) batch.push(toTransfer(entry));
    else counts.ignored++;
    if (batch.length === batchSize) await record();
    if (++done % progressEvery === 0) options.onProgress?.(done, progress.total);
  }
  await record();
  return counts;
}

function isMoneyIn(entry: StatementEntry): boolean {
  return entry.direction === 'credit' && entry.status === 'booked' && entry.amount.minor > 0n;
}
