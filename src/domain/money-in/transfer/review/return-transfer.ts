import type { Transfer, TransferStatus } from '../../../../../prisma/client/client.ts';
import { transact } from '../../../../event/unit-of-work.ts';
import type { Db, Tx } from '../../../../kit/db.ts';
import { DomainError } from '../../../../kit/errors.ts';
import type { MerchantScope } from '../../../../kit/merchant-scope.ts';
import { formatMoney, parseMoney, toDecimal } from '../../../../kit/money.ts';
import {
  getUnallocatedAmount,
  lockTransfer,
  requireExceptionStatus,
} from '../../../payments/allocation/lock-transfer.ts';
import {
  isPossibleDuplicateDebit,
  keepAsException,
  parseNote,
} from '../../../payments/allocation/transfer-state.ts';
import { transitionTransfer } from '../../../payments/allocation/transition-transfer.ts';
import { type AuditContext, recordAudit } from '../../../platform/audit/record-audit.ts';
import { getSettledStatus } from '../net-allocations.ts';

type TransferReturn = {
  transferId: string;
  /** In major units; defaults to the unallocated amount. */
  amount?: number | string | null | undefined;
  note?: string | null | undefined;
};

/**
 * Records that money was returned to its payer; the service moves no money. A reversal becomes `outgoing`, and a
 * transfer of an undone statement `undone`. An outgoing transfer that may be a duplicate becomes a separate payment.
 * Errors: `transfer_not_found`, `transfer_already_allocated`, `amount_out_of_range`, `invalid_request`.
 */
export async function returnTransfer(
  db: Db,
  options: MerchantScope & { input: TransferReturn; audit: AuditContext; now: Date },
): Promise<Transfer> {
  const { merchantId, mode, input, audit, now } = options;
  const note = parseNote(input.note);
  return transact(db, async (uow) => {
    const transfer = await lockTransfer(uow.tx, { merchantId, mode, id: input.transferId });
    const isSeparateDebit = isPossibleDuplicateDebit(transfer);
    const isReviewable = transfer.status === 'exception' && transfer.direction === 'debit';
    if (!isReviewable && !isSeparateDebit) requireExceptionStatus(transfer);
    const amount = parseAmount(transfer, input);
    const isSettled = amount === getUnallocatedAmount(transfer);
    const settledStatus = await getFinalStatus(uow.tx, transfer);
    const updated = await transitionTransfer(uow, transfer, {
      ...(isSettled ? { to: settledStatus } : keepAsException(transfer)),
      ...(isSeparateDebit && { reason: 'unknown_payout' as const }),
      allocations: amount === 0n ? [] : [{ chargeId: null, amount, reason: 'returned', note }],
      actor: audit.actor,
      now,
    });
    await recordAudit(uow, {
      merchantId,
      mode,
      ...audit,
      action: 'transfer.returned',
      objectId: transfer.id,
      detail: {
        amount: toDecimal({ minor: amount, currency: transfer.currency }),
        currency: transfer.currency,
      },
    });
    return updated;
  });
}

async function getFinalStatus(tx: Tx, transfer: Transfer): Promise<TransferStatus> {
  if (transfer.undoneAt !== null) return 'undone';
  return transfer.direction === 'debit' ? 'outgoing' : getSettledStatus(tx, transfer);
}

function parseAmount(transfer: Transfer, input: TransferReturn): bigint {
  const unallocatedAmount = getUnallocatedAmount(transfer);
  if (input.amount == null) return unallocatedAmount;
  const { minor } = parseMoney(input.amount, transfer.currency, '/amount');
  if (minor <= unallocatedAmount) return minor;
  const remaining = formatMoney({ minor: unallocatedAmount, currency: transfer.currency });
  throw new DomainError(
    'amount_out_of_range',
    `Only ${remaining} of the transfer ${transfer.id} is unallocated`,
  );
}
