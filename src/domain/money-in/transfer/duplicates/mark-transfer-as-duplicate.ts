import type { Transfer } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { MerchantScope, ScopedId } from '../../../../kit/merchant-scope.ts';
import { lockSharedIds } from '../../../accounts/receiving-account/bank-account.ts';
import { lockTransfer, requireExceptionStatus } from '../../../payments/allocation/lock-transfer.ts';
import { isPossibleDuplicateDebit } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { findRecordedDuplicates, readMappingHash } from './find-duplicates.ts';
import { isSynthetic } from './find-reported-again.ts';

/**
 * Marks an unmatched transfer or a possible duplicate, and with it its own duplicates, as the duplicate of another
 * transfer. Errors: `transfer_not_found`, `transfer_already_allocated` if the transfer needs no review or part of it
 * is allocated, if the transfers cannot be the same payment, or if the other transfer already has a duplicate from the
 * same source.
 */
export async function markTransferAsDuplicate(
  db: Db,
  options: MerchantScope & {
    input: { transferId: string; duplicateOfId: string };
    audit: AuditContext;
    now: Date;
  },
): Promise<Transfer> {
  const { merchantId, mode, input, audit, now } = options;
  const scope = { merchantId, mode };
  return transact(db, async (uow) => {
    const { tx } = uow;
    const accountIds = await lockAccount(tx, { ...scope, id: input.transferId });
    const repeats = await readRepeats(tx, input.transferId);
    // Locks the transfers in the order of IDs, like every operation that locks several transfers.
    const ids = [input.transferId, input.duplicateOfId, ...repeats.map(({ id }) => id)].toSorted();
    for (const id of ids) await lockTransfer(tx, { ...scope, id });
    const transfer = await lockTransfer(tx, { ...scope, id: input.transferId });
    const other = await lockTransfer(tx, { ...scope, id: input.duplicateOfId });
    // Outgoing transfers are also allowed, because two sources may report one reversal or payment.
    if (transfer.status !== 'exception' && !isPossibleDuplicateDebit(transfer))
      requireExceptionStatus(transfer);
    await requireMatchingTransfers(tx, { transfer, other, accountIds });
    const updated = await transitionTransfer(uow, transfer, {
      to: 'duplicate',
      duplicateOfId: other.id,
      allocations: [],
      actor: audit.actor,
      now,
    });
    await moveRepeats(tx, { transfer, other });
    const detail = { duplicateOfId: other.id };
    await recordAudit(uow, {
      ...scope,
      ...audit,
      action: 'transfer.marked_as_duplicate',
      objectId: transfer.id,
      detail,
    });
    return updated;
  });
}

/**
 * Locks the bank account, so that no concurrent recording adds a duplicate of the same transfer. Returns the IDs of its
 * receiving accounts.
 */
async function lockAccount(tx: Tx, options: ScopedId): Promise<string[]> {
  const transfer = await tx.transfer.findFirst({ where: options, select: { receivingAccountId: true } });
  return transfer ? lockSharedIds(tx, { ...options, id: transfer.receivingAccountId }) : [];
}

/** Returns the duplicates of the transfer. Excludes batch bookings, which repeat several payments. */
async function readRepeats(tx: Tx, transferId: string): Promise<Transfer[]> {
  const original = await tx.transfer.findUnique({ where: { id: transferId }, select: { amount: true } });
  if (!original) return [];
  return tx.transfer.findMany({
    where: { duplicateOfId: transferId, status: 'duplicate', amount: original.amount },
    orderBy: { id: 'asc' },
  });
}

/**
 * Makes the duplicates of a transfer duplicates of the one that it repeats, so that each of them can replace that one
 * if its statement is undone.
 */
async function moveRepeats(tx: Tx, { transfer, other }: TransferPair): Promise<void> {
  for (const repeat of await readRepeats(tx, transfer.id)) {
    await requireFirstOfSource(tx, { transfer: repeat, other });
    await tx.transfer.update({ where: { id: repeat.id }, data: { duplicateOfId: other.id } });
  }
}

type TransferPair = { transfer: Transfer; other: Transfer };

function createMarkError({ transfer, other }: TransferPair, reason: string): DomainError {
  return new DomainError(
    'transfer_already_allocated',
    `The transfer ${transfer.id} cannot be marked as a duplicate of ${other.id}: ${reason}`,
  );
}

async function requireMatchingTransfers(
  tx: Tx,
  { transfer, other, accountIds }: TransferPair & { accountIds: readonly string[] },
): Promise<void> {
  const createError = (reason: string) => createMarkError({ transfer, other }, reason);
  if (transfer.allocated !== 0n) throw createError(`part of ${transfer.id} is already allocated`);
  if (other.id === transfer.id) throw createError('a transfer cannot be its own duplicate');
  if (other.status === 'duplicate') throw createError(`${other.id} is itself a duplicate`);
  for (const { id, undoneAt } of [transfer, other])
    if (undoneAt !== null) throw createError(`the statement of ${id} was undone`);
  if (other.direction !== transfer.direction) throw createError('one is incoming and the other outgoing');
  const isSimilar =
    accountIds.includes(other.receivingAccountId) &&
    other.amount === transfer.amount &&
    other.currency === transfer.currency;
  if (!isSimilar) throw createError('the account, amount and currency must be equal');
  await requireFirstOfSource(tx, { transfer, other });
}

async function requireFirstOfSource(tx: Tx, { transfer, other }: TransferPair): Promise<void> {
  const mappingHash = await readMappingHash(tx, transfer);
  const duplicates = await findRecordedDuplicates(tx, [other.id], { ...transfer, mappingHash });
  // Several files may repeat a line without a reference, each with a different date or wording.
  const duplicate = duplicates.find(
    ({ statementId }) => !isSynthetic(transfer.bankReference) || statementId === transfer.statementId,
  );
  if (duplicate)
    throw createMarkError(
      { transfer, other },
      `${duplicate.id} from the same source is already a duplicate of ${other.id}`,
    );
}
