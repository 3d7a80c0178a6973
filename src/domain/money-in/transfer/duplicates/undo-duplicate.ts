import type { Transfer } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import { DomainError } from '../../../../kit/errors.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';

/**
 * Records that a duplicate is a payment of its own: an outgoing payment, or one that needs review. The caller must have
 * locked the transfer. Throws `transfer_already_allocated` if the transfer is a batch booking, whose parts are counted
 * instead.
 */
export async function undoDuplicate(
  uow: UnitOfWork,
  transfer: Transfer,
  { audit, now }: { audit: AuditContext; now: Date },
): Promise<Transfer> {
  const { id, merchantId, mode, bankReference, duplicateOfId } = transfer;
  const original =
    duplicateOfId === null ? null : await uow.tx.transfer.findUnique({ where: { id: duplicateOfId } });
  if (original?.batchReference === bankReference)
    throw new DomainError(
      'transfer_already_allocated',
      `The transfer ${id} books several payments as one, and these are recorded individually`,
    );
  const { actor } = audit;
  const isOutgoing = original?.status === 'outgoing' && original.reversalOfId === null;
  const state = isOutgoing
    ? ({ to: 'outgoing', reason: 'unknown_payout' } as const)
    : ({ to: 'exception', reason: 'unassigned' } as const);
  const change = { ...state, duplicateOfId: null, allocations: [], actor, now };
  const updated = await transitionTransfer(uow, transfer, change);
  await recordAudit(uow, {
    merchantId,
    mode,
    ...audit,
    action: 'transfer.unmarked_as_duplicate',
    objectId: id,
    detail: { duplicateOfId },
  });
  return updated;
}
