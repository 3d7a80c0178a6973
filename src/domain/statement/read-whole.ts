import type { Statement } from '../../../prisma/client/client.ts';
import type { Db } from '../../kit/db.ts';
import { InvalidStatement } from '../../statement/invalid-statement.ts';
import { type ImportRun, moveStatement, type Reading, timeOf } from './import-run.ts';

/** How often the row says how far the reading is; that keeps the lease too. */
const saveEveryMs = 1_000;
/** Entries between two looks at the clock. */
const lookEvery = 200;

/**
 * The first reading: whether the file is good to its end, and how much stands in it. Nothing is recorded meanwhile.
 * Answers the statement: still running, failed with line and reason, or queued again after the run's signal.
 */
export async function readWhole(db: Db, given: ImportRun, reading: Reading): Promise<Statement> {
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
