import type { ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Clock, MerchantTime } from '../../../../kit/clock.ts';
import type { Db } from '../../../../kit/db.ts';
import { toLocalDate } from '../../../../kit/time-zone.ts';
import type { StatementListener } from '../../../../statement/control-totals.ts';
import { checkCsvMapping } from '../../../../statement/csv-mapping.ts';
import { readStatement } from '../../../../statement/read-statement.ts';
import type { StatementEntry, StatementFileKind } from '../../../../statement/statement-entry.ts';
import { merchantNow } from '../../../platform/clock/merchant-now.ts';
import { readUpload } from '../../../platform/upload/read-upload.ts';
import { type StatementChange, transitionStatement } from '../transition-statement.ts';

/** An import or its undo in progress in this process. */
export type ImportRun = {
  /** The claimed statement, as the last transition left it. Its `leasedUntil` is the lease of this process. */
  statement: Statement;
  clock: Clock;
  /** After an abort, the changes so far remain, and the next process that claims the statement resumes the run. */
  signal?: AbortSignal | undefined;
  /** Called after each update of the statement. */
  onProgress?: ((statement: Statement) => void) | undefined;
};

export type ReadingListeners = {
  onKind?: (kind: StatementFileKind) => void;
  onStatement?: StatementListener;
};

/** One pass over the file. */
export type StatementReading = {
  /** Calls `onKind` with the kind of the file, and `onStatement` at the end of each of its statements. */
  readEntries: (listeners?: ReadingListeners) => AsyncGenerator<StatementEntry>;
  /** Returns the number of bytes read so far. */
  getBytesRead: () => number;
};

/** How often a pass over the file saves its progress, which also renews the lease. */
const saveIntervalMs = 1_000;
/** How many entries are read between two checks of the time. */
const entriesPerCheck = 200;

/** Creates a function that returns whether the progress should be saved after this many entries. */
export function createProgressTimer(): (entryCount: number) => boolean {
  let savedAt = performance.now();
  return (entryCount) => {
    if (entryCount % entriesPerCheck !== 0 || performance.now() - savedAt < saveIntervalMs) return false;
    savedAt = performance.now();
    return true;
  };
}

/** Transitions the statement of the run in its own transaction. Throws `LeaseLostError`. */
export async function transitionRun(
  db: Db,
  run: ImportRun,
  to: Statement['status'],
  data: StatementChange['data'] = {},
): Promise<Statement> {
  run.statement = await transact(db, (uow) =>
    transitionStatement(uow, run.statement, to, { systemNow: run.clock.now(), data }),
  );
  return run.statement;
}

/** Returns the merchant's time, which applies to all times of a statement. */
export async function getMerchantTime(db: Db, { statement, clock }: ImportRun): Promise<MerchantTime> {
  const merchant = await db.prisma.merchant.findUniqueOrThrow({ where: { id: statement.merchantId } });
  return merchantNow(clock.now(), merchant, statement.mode);
}

/** Opens the stored file of a statement. Throws if the file is no longer stored. */
export async function openReading(
  db: Db,
  statement: Statement,
  account: ReceivingAccount,
): Promise<StatementReading> {
  const { id, uploadId } = statement;
  const upload = uploadId === null ? null : await db.prisma.upload.findUnique({ where: { id: uploadId } });
  if (!upload) throw new Error(`the file of ${id} is no longer stored`);
  return createReading(db, statement, { upload, account });
}

function createReading(
  db: Db,
  { mapping, createdAt }: Statement,
  { upload, account }: { upload: { id: string; size: bigint | null }; account: ReceivingAccount },
): StatementReading {
  const { currency, timeZone } = account;
  const today = toLocalDate(createdAt, timeZone);
  const csv = mapping === null ? undefined : { mapping: checkCsvMapping(mapping), currency, today };
  let bytesRead = 0;
  async function* countBytes() {
    for await (const chunk of readUpload(db, upload)) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return {
    readEntries: (listeners) =>
      readStatement(countBytes(), { csv, account: { currency, today }, ...listeners }),
    getBytesRead: () => bytesRead,
  };
}
