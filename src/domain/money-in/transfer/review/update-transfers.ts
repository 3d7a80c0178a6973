import type { Transfer } from '../../../../../prisma/client/client.ts';
import { announceChange } from '../../../../event/announce-change.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { invalidInputError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { lockTransfer } from '../../../payments/allocation/lock-transfer.ts';
import { parseNote } from '../../../payments/allocation/transfer-state.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';

/** Omitted properties remain unchanged; null removes them. */
type TransferReview = {
  transferIds: readonly string[];
  assigneeId?: string | null | undefined;
  note?: string | null | undefined;
};

/**
 * Changes who reviews transfers, and the note of the team. The state of the money does not change. Errors:
 * `transfer_not_found`, `invalid_request`.
 */
export async function updateTransfers(
  db: Db,
  options: MerchantScope & { input: TransferReview; audit: AuditContext; now: Date },
): Promise<Transfer[]> {
  const { merchantId, mode, input, audit, now } = options;
  const note = input.note === undefined ? undefined : parseNote(input.note) || null;
  const ids = parseTransferIds(input.transferIds);
  return transact(db, async (uow) => {
    const { tx } = uow;
    if (input.assigneeId != null) await requireUser(tx, merchantId, input.assigneeId);
    const updated: Transfer[] = [];
    for (const id of ids) {
      await lockTransfer(tx, { merchantId, mode, id });
      const data = {
        ...(input.assigneeId !== undefined && { assigneeId: input.assigneeId }),
        ...(note !== undefined && { note }),
        version: { increment: 1 },
        updatedAt: now,
      };
      updated.push(await tx.transfer.update({ where: { id }, data }));
      announceChange(uow, { merchantId, mode, objectId: id });
      const detail = input.assigneeId === undefined ? {} : { assigneeId: input.assigneeId };
      await recordAudit(uow, {
        merchantId,
        mode,
        ...audit,
        action: 'transfer.updated',
        objectId: id,
        detail,
      });
    }
    return updated;
  });
}

async function requireUser(tx: Tx, merchantId: string, id: string): Promise<void> {
  const user = await tx.merchantUser.findFirst({ where: { id, merchantId, removedAt: null } });
  if (!user) throw invalidInputError('/assigneeId', 'must be a user of your account');
}

const transfersMax = 100;

/** Returns the IDs sorted, because all operations lock transfers in ID order. */
export function parseTransferIds(ids: readonly string[]): string[] {
  if (ids.length < 1 || ids.length > transfersMax)
    throw invalidInputError('/ids', `must have 1 to ${transfersMax} transfers`);
  if (new Set(ids).size < ids.length) throw invalidInputError('/ids', 'must not contain a transfer twice');
  return ids.toSorted();
}
