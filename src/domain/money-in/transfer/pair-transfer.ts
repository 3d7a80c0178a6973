import type { Transfer } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MerchantScope, ScopedId } from '../../../kit/merchant-scope.ts';
import { lockReceivingAccountRow } from '../../accounts/receiving-account/lock-receiving-account.ts';
import { lockTransfer, requireException } from '../../payments/allocation/lock-transfer.ts';
import { transitionTransfer } from '../../payments/allocation/transition-transfer.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { findPairs, readMappingHash } from './find-pairs.ts';

/**
 * Marks an unmatched transfer as the duplicate of another transfer. Errors: `transfer_not_found`,
 * `transfer_already_allocated` if part of it is allocated, the two cannot be one payment, or the other transfer
 * already has a duplicate from this source.
 */
export async function pairTransfer(
  db: Db,
  options: MerchantScope & {
    input: { transferId: string; duplicateOfId: string };
    audit: AuditContext;
    now: Date;
  },
): Promise<Transfer> {
  const { merchantId, mode, input, audit, now } = options;
  const owner = { merchantId, mode };
  return transact(db, async (uow) => {
    const { tx } = uow;
    await lockAccount(tx, { ...owner, id: input.transferId });
    // Locks both in the order of IDs, like every operation that locks several transfers.
    const ids = [input.transferId, input.duplicateOfId].toSorted();
    for (const id of ids) await lockTransfer(tx, { ...owner, id });
    const transfer = await lockTransfer(tx, { ...owner, id: input.transferId });
    const other = await lockTransfer(tx, { ...owner, id: input.duplicateOfId });
    // Outgoing transfers are allowed too: two sources may report one reversal.
    if (transfer.status !== 'exception') requireException(transfer);
    await requirePair(tx, transfer, other);
    const updated = await transitionTransfer(uow, transfer, {
      to: 'duplicate',
      duplicateOfId: other.id,
      allocations: [],
      actor: audit.actor,
      now,
    });
    const detail = { sameAs: other.id };
    await recordAudit(uow, {
      ...owner,
      ...audit,
      action: 'transfer.marked_as_duplicate',
      objectId: transfer.id,
      detail,
    });
    return updated;
  });
}

/** Locks the account, so that no concurrent recording adds a duplicate of the same transfer. */
async function lockAccount(tx: Tx, options: ScopedId): Promise<void> {
  const transfer = await tx.transfer.findFirst({ where: options, select: { receivingAccountId: true } });
  if (transfer) await lockReceivingAccountRow(tx, { ...options, id: transfer.receivingAccountId });
}

async function requirePair(tx: Tx, transfer: Transfer, other: Transfer): Promise<void> {
  const createError = (reason: string) =>
    new DomainError(
      'transfer_already_allocated',
      `The transfer ${transfer.id} cannot be marked as a duplicate of ${other.id}: ${reason}`,
    );
  if (transfer.allocated !== 0n) throw createError('part of it is already allocated');
  if (other.id === transfer.id || other.status === 'duplicate' || other.direction !== transfer.direction)
    throw createError('that transfer is the same one, a duplicate or of the other direction');
  const isAlike =
    other.receivingAccountId === transfer.receivingAccountId &&
    other.amount === transfer.amount &&
    other.currency === transfer.currency;
  if (!isAlike) throw createError('the account, amount and currency must be equal');
  const mapping = await readMappingHash(tx, transfer);
  const [duplicate] = await findPairs(tx, [other.id], { ...transfer, mapping });
  if (duplicate) throw createError(`${duplicate.id} is already its duplicate`);
}
