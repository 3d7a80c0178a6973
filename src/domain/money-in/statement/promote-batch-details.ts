import type { ReceivingAccount } from '../../../../prisma/client/client.ts';
import type { Db } from '../../../kit/db.ts';
import type { StatementEntry } from '../../../statement/statement-entry.ts';

/**
 * Yields the entries, of which the details of a recorded batch booking become booked. Some banks list the payments in a
 * batch booking as information in a notification (camt.054). They are payments only if the booking is recorded, is not
 * allocated, and is their sum.
 */
export async function* promoteBatchDetails(
  db: Db,
  account: ReceivingAccount,
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<StatementEntry> {
  for await (const group of groupBatchDetails(entries)) {
    const isPromoted = isBatchDetail(group[0]!) && (await hasBooking(db, account, group));
    yield* isPromoted ? toBooked(group) : group;
  }
}

/** Yields the details of each batch booking together, and every other entry alone. */
export async function* groupBatchDetails(
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<StatementEntry[]> {
  let group: StatementEntry[] = [];
  for await (const entry of entries) {
    if (group.length > 0 && !isSameBatch(group[0]!, entry)) {
      yield group;
      group = [];
    }
    group.push(entry);
  }
  if (group.length > 0) yield group;
}

/** Returns the details of a batch booking as payments. */
export function toBooked(group: StatementEntry[]): StatementEntry[] {
  return group.map((entry) => ({ ...entry, status: 'booked' }));
}

export function isBatchDetail(entry: StatementEntry): boolean {
  const { kind, status, direction, batchReference, bankReference, transactionCount } = entry;
  const isInformation = kind === 'camt.054' && status === 'information' && direction === 'credit';
  return (
    isInformation && batchReference !== undefined && bankReference !== undefined && transactionCount === 1
  );
}

function isSameBatch(first: StatementEntry, entry: StatementEntry): boolean {
  const { batchReference, fileIndex, amount } = first;
  return (
    isBatchDetail(first) &&
    isBatchDetail(entry) &&
    entry.batchReference === batchReference &&
    entry.fileIndex === fileIndex &&
    entry.amount.currency === amount.currency
  );
}

/** Returns whether the booking of the details is recorded, is not allocated, and is their sum. */
export async function hasBooking(
  { prisma }: Db,
  account: ReceivingAccount,
  group: StatementEntry[],
): Promise<boolean> {
  const { batchReference, amount } = group[0]!;
  const booking = await prisma.transfer.findFirst({
    where: {
      receivingAccountId: account.id,
      source: 'statement',
      bankReference: batchReference!,
      direction: 'credit',
      status: 'exception',
      allocated: 0n,
      undoneAt: null,
      currency: amount.currency,
      amount: group.reduce((sum, entry) => sum + entry.amount.minor, 0n),
    },
    select: { id: true },
  });
  return booking !== null;
}
