import type { Transfer } from '../../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { Db } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { toDecimal } from '../../../../kit/money.ts';
import { lockTransfer, requireExceptionStatus } from '../../../payments/allocation/lock-transfer.ts';
import { parseNote } from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { parseTransferIds } from './update-transfers.ts';

/**
 * Records that unmatched transfers are not customer payments, such as interest; all of them or none. The money stays on
 * the account. Errors: `transfer_not_found`, `transfer_already_allocated`, `invalid_request`.
 */
export async function dismissTransfers(
  db: Db,
  options: MerchantScope & {
    input: { transferIds: readonly string[]; note?: string | null | undefined };
    audit: AuditContext;
    now: Date;
  },
): Promise<Transfer[]> {
  const { merchantId, mode, input, audit, now } = options;
  const note = parseNote(input.note);
  const ids = parseTransferIds(input.transferIds);
  return transact(db, (uow) => dismissInTransaction(uow, { merchantId, mode, ids, note, audit, now }));
}

/**
 * Dismisses transfers in the caller's transaction. `ids` must be sorted, because all operations lock
 * transfers in ID order.
 */
export async function dismissInTransaction(
  uow: UnitOfWork,
  options: MerchantScope & {
    ids: readonly string[];
    note: string | null;
    audit: AuditContext;
    now: Date;
  },
): Promise<Transfer[]> {
  const { merchantId, mode, ids, note, audit, now } = options;
  const dismissed: Transfer[] = [];
  for (const id of ids) {
    const transfer = await lockTransfer(uow.tx, { merchantId, mode, id });
    requireExceptionStatus(transfer);
    if (transfer.allocated !== 0n || transfer.undoneAt !== null)
      throw new DomainError(
        'transfer_already_allocated',
        `The transfer ${id} cannot be dismissed, because part of it was allocated, reversed or undone`,
      );
    const { amount, currency } = transfer;
    const detail = { amount: toDecimal({ minor: amount, currency }), currency };
    const change = { chargeId: null, amount, reason: 'dismissed', note } as const;
    dismissed.push(
      await transitionTransfer(uow, transfer, {
        to: 'dismissed',
        allocations: [change],
        actor: audit.actor,
        now,
      }),
    );
    await recordAudit(uow, {
      merchantId,
      mode,
      ...audit,
      action: 'transfer.dismissed',
      objectId: id,
      detail,
    });
  }
  return dismissed;
}
