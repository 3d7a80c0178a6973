import type { ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import { dayMs } from '../../../../kit/duration.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { type RelistedLineCheck, syntheticPrefix } from '../../transfer/duplicates/find-reported-again.ts';
import { duplicateWindowDays } from '../../transfer/duplicates/match-duplicates.ts';
import type { TransferInput } from '../../transfer/record/draft-transfer.ts';
import type { StatementControl } from '../check-statement.ts';
import { isOfFileAccount } from '../file-account.ts';
import { createEntryConverter, getSkipReason } from './convert-entry.ts';
import { createProgressTimer, type ImportRun, type StatementReading, transitionRun } from './import-run.ts';
import { promoteBatchDetails } from './promote-batch-details.ts';

type ConvertibleFile = { statement: Statement; reading: StatementReading; account: ReceivingAccount };
type ConvertedEntry = { entry: StatementEntry; input: TransferInput | undefined };

/** Yields the entries of a file, each with the transfer to record; skipped entries have no `input`. */
export async function* convertEntries(
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
 * earlier file has lines without a bank reference near these days, or after an abort. Collects the references of this
 * file, because a line that it repeats unchanged needs no search.
 */
export async function prepareRelistedLineCheck(
  db: Db,
  run: ImportRun,
  file: Omit<ConvertibleFile, 'statement'>,
): Promise<RelistedLineCheck | undefined> {
  const { statement } = run;
  const { unreferencedDays } = getControl(statement);
  if (!unreferencedDays) return undefined;
  const windowMs = duplicateWindowDays * dayMs;
  // These days begin and end at different times in other time zones.
  const from = new Date(Date.parse(unreferencedDays.from) - dayMs);
  const until = new Date(Date.parse(unreferencedDays.to) + 2 * dayMs);
  const earlier = await db.prisma.transfer.findFirst({
    where: {
      receivingAccountId: statement.receivingAccountId,
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
