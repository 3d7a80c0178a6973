import type { ReceivingAccount, Statement } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import { localDate } from '../../../kit/time-zone.ts';
import { checkCsvMapping } from '../../../statement/csv-mapping.ts';
import { InvalidStatement } from '../../../statement/invalid-statement.ts';
import { readStatement } from '../../../statement/read-statement.ts';
import type { Service } from '../../platform/service.ts';
import { readUpload } from '../../platform/upload/read-upload.ts';
import { type ImportRun, moveStatement, type Reading, timeOf } from './import-run.ts';
import { recordEntries } from './record-entries.ts';

/**
 * Imports a claimed statement to its end: a first reading finds out whether the file is good, a second records its
 * entries, batch by batch, each together with how far the import has come. So a broken file imports nothing, and an
 * import that was broken off goes on where it was, whoever goes on. Answers the statement: done, failed with line and
 * reason, or queued again after the run's signal. Throws LeaseLost when another has taken it over, and what the
 * database throws.
 */
export async function runImport(service: Service, run: ImportRun): Promise<Statement> {
  const { receivingAccount, upload } = await service.prisma.statement.findUniqueOrThrow({
    where: { id: run.statement.id },
    include: { receivingAccount: { include: { merchant: true } }, upload: true },
  });
  if (!upload) throw new Error(`the file of ${run.statement.id} is no longer stored`);
  const { merchant, ...account } = receivingAccount;
  const read = () => makeReading(service, run.statement, { upload, account });
  const statement = run.statement.entries === null ? await readWhole(service, run, read()) : run.statement;
  if (statement.status !== 'running') return statement;
  return recordEntries(service, { ...run, statement }, { reading: read(), merchant, account });
}

function makeReading(
  db: Db,
  { mapping, createdAt }: Statement,
  { upload, account }: { upload: { id: string; size: bigint | null }; account: ReceivingAccount },
): Reading {
  const { currency, timeZone } = account;
  const today = localDate(createdAt, timeZone);
  const csv = mapping === null ? undefined : { mapping: checkCsvMapping(mapping), currency, today };
  let bytes = 0;
  async function* counted() {
    for await (const chunk of readUpload(db, upload)) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  return { entries: () => readStatement(counted(), { csv }), bytes: () => bytes };
}

/** How often the row says how far the reading is; that keeps the lease too. */
const saveEveryMs = 1_000;
/** Entries between two looks at the clock. */
const lookEvery = 200;

/**
 * The first reading: whether the file is good to its end, and how much stands in it. Nothing is recorded meanwhile.
 * Answers the statement: still running, failed with line and reason, or queued again after the run's signal.
 */
async function readWhole(db: Db, given: ImportRun, reading: Reading): Promise<Statement> {
  const run = { ...given };
  let savedAt = performance.now();
  let entries = 0;
  let format = '';
  try {
    for await (const { kind } of reading.entries()) {
      format ||= kind;
      entries += 1;
      if (entries % lookEvery !== 0 || performance.now() - savedAt < saveEveryMs) continue;
      if (run.signal?.aborted) return await moveStatement(db, run, 'queued');
      run.statement = await moveStatement(db, run, 'running', { bytesRead: BigInt(reading.bytes()) });
      run.onProgress?.(run.statement);
      savedAt = performance.now();
    }
  } catch (error) {
    if (!(error instanceof InvalidStatement)) throw error;
    return moveStatement(db, run, 'failed', {
      errorLine: error.line,
      errorReason: error.reason,
      finishedAt: await timeOf(db, run),
      format,
    });
  }
  return moveStatement(db, run, 'running', { entries, format, bytesRead: run.statement.size });
}
