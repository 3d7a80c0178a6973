import type { ReceivingAccount } from '../../../../../prisma/client/client.ts';
import type { Db } from '../../../../kit/db.ts';
import type { StatementEntry } from '../../../../statement/statement-entry.ts';
import { readSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { inferBankFee } from '../../transfer/bank-fee.ts';

/**
 * Yields the entries, with the details of a recorded batch booking as booked payments. Some banks list the payments
 * in a batch booking as information in a notification (camt.054). They are payments only if the booking is
 * recorded, is not allocated, and is their sum, less a fee that the rule of the account allows. Others list them
 * within the booking, which is less than their sum. They are payments if the rule allows the difference as a fee.
 */
export async function* promoteBatchDetails(
  db: Db,
  account: ReceivingAccount,
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<StatementEntry> {
  for await (const group of groupBatchDetails(entries)) {
    yield* (await isPayments(db, account, group)) ? toBooked(group) : group;
  }
}

async function isPayments(db: Db, account: ReceivingAccount, group: StatementEntry[]): Promise<boolean> {
  const { netBatchAmount } = group[0]!;
  if (!isBatchDetail(group[0]!)) return false;
  if (netBatchAmount === undefined) return hasBooking(db, account, group);
  return explainsBooking(account, group, netBatchAmount) && (await isOnlyBatch(db, account, group));
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
  const { kind, status, direction, batchReference, bankReference, netBatchAmount, transactionCount } = entry;
  const isDetail = kind === 'camt.054' || netBatchAmount !== undefined;
  const isInformation = isDetail && status === 'information' && direction === 'credit';
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

/** Returns whether the booking of the details is recorded, is not allocated, and is their sum, less an allowed fee. */
export async function hasBooking(
  { prisma }: Db,
  account: ReceivingAccount,
  group: StatementEntry[],
): Promise<boolean> {
  const { batchReference, amount } = group[0]!;
  const booking = await prisma.transfer.findFirst({
    where: {
      receivingAccountId: { in: await readSharedIds({ prisma }, account.id) },
      source: 'statement',
      bankReference: batchReference!,
      direction: 'credit',
      status: 'exception',
      allocated: 0n,
      undoneAt: null,
      currency: amount.currency,
    },
    select: { amount: true },
  });
  return booking !== null && explainsBooking(account, group, booking.amount);
}

function explainsBooking(account: ReceivingAccount, group: StatementEntry[], received: bigint): boolean {
  const requested = group.reduce((sum, entry) => sum + entry.amount.minor, 0n);
  return received + inferBankFee(account, { requested, received }) === requested;
}

/**
 * Returns whether no other payments belong to the booking of the details. Otherwise the bank reuses its
 * reference, and the booking could not be recognized as the sum of these details.
 */
async function isOnlyBatch(
  { prisma }: Db,
  account: ReceivingAccount,
  group: StatementEntry[],
): Promise<boolean> {
  if (account.reusesBankReferences) return false;
  const other = await prisma.transfer.findFirst({
    where: {
      receivingAccountId: { in: await readSharedIds({ prisma }, account.id) },
      batchReference: group[0]!.batchReference!,
      bankReference: { notIn: group.flatMap(({ bankReference }) => bankReference ?? []) },
      direction: 'credit',
      undoneAt: null,
    },
    select: { id: true },
  });
  return other === null;
}
