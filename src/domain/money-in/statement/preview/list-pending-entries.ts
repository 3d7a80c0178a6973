import type { ReceivingAccount, Statement } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { readSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { checkRepeats } from '../../transfer/duplicates/check-repeats.ts';
import { findDuplicates } from '../../transfer/duplicates/find-duplicates.ts';
import { draftTransfer, type TransferInput } from '../../transfer/record/draft-transfer.ts';
import { splitIndependent } from '../../transfer/record/split-independent.ts';
import { isOfFileAccount } from '../file-account.ts';
import { createEntryConverter } from '../import/convert-entry.ts';
import { openReading } from '../import/import-run.ts';
import { getImportCounts } from '../statement-state.ts';
import { scannedRowsMax } from './statement-preview.ts';

/** An entry that a file reports as provisional or not booked, and its transfer if it was booked since. */
export type PendingEntry = { entry: StatementEntry; transferId: string | undefined };

type PendingInput = { entry: StatementEntry; input: TransferInput };

const pendingEntriesMax = 100;

/**
 * Returns the first entries of an imported file that are provisional or pending, each with the transfer of
 * its booking if that was reported since. Nothing is stored about them, so their file is read.
 */
export async function listPendingEntries(
  db: Db,
  statement: Statement & { receivingAccount: ReceivingAccount },
): Promise<PendingEntry[]> {
  const { receivingAccount: account, status, uploadId, fileAccount, id, createdAt } = statement;
  if (status !== 'completed' || uploadId === null || getImportCounts(statement).ignored === 0) return [];
  const toInput = createEntryConverter(account, { statementId: id, now: createdAt });
  const pending: PendingInput[] = [];
  let scannedCount = 0;
  for await (const entry of (await openReading(db, statement, account)).readEntries()) {
    const isPending = entry.status === 'provisional' || entry.status === 'pending';
    if (isPending && isOfFileAccount(entry, fileAccount)) pending.push({ entry, input: toInput(entry) });
    scannedCount += 1;
    if (scannedCount === scannedRowsMax || pending.length === pendingEntriesMax) break;
  }
  const recorded = await findRecorded(db, account, { pending, now: createdAt });
  return pending.map(({ entry, input }) => ({ entry, transferId: recorded.get(input) }));
}

/**
 * Finds the transfers of the same movements: by the reference of the bank, and for credits also by the
 * payment reference.
 */
async function findRecorded(
  { prisma }: Db,
  account: ReceivingAccount,
  { pending, now }: { pending: readonly PendingInput[]; now: Date },
): Promise<Map<TransferInput, string>> {
  const found = new Map<TransferInput, string>();
  const bankAccount = { ...account, sharedIds: await readSharedIds({ prisma }, account.id) };
  const credits = new Set(pending.flatMap(({ entry, input }) => (entry.direction === 'credit' ? input : [])));
  for (const group of splitIndependent(pending.map(({ input }) => input))) {
    for (const [input, check] of await checkRepeats(prisma, bankAccount, group))
      if ('recorded' in check) found.set(input, check.recorded.id);
    const others = group.filter((input) => credits.has(input) && !found.has(input));
    const drafts = new Map(others.map((input) => [draftTransfer({ account, input, now }), input]));
    for (const [draft, duplicate] of await findDuplicates(prisma, [...drafts.keys()], bankAccount))
      if ('duplicateOfId' in duplicate) found.set(drafts.get(draft)!, duplicate.duplicateOfId);
  }
  return found;
}
