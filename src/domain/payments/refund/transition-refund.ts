import type { Charge, Prisma, Refund, RefundStatus, Transfer } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalog.ts';
import { recordEvent } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { MessageService } from '../../../message/enqueue-message.ts';
import { toRefundView } from '../charge/to-refund-view.ts';
import { mailRefundSent, withdrawRefundLink } from './mail-refund.ts';
import { recordPayout } from './record-payout.ts';
import { canTransitionRefund } from './refund-state.ts';
import { requireNoUndo } from './require-no-undo.ts';

type RefundChange = {
  now: MerchantTime;
  /** The time at which emails are sent or withdrawn; the default is `now`. */
  systemNow?: SystemTime | undefined;
  actor: string;
  data?: Pick<
    Prisma.RefundUncheckedUpdateInput,
    | 'completionUndoneAt'
    | 'detailsEncrypted'
    | 'linkVersion'
    | 'previousPayoutReferences'
    | 'payoutExportedAt'
    | 'payoutReference'
    | 'payoutScheme'
    | 'reopenReason'
  >;
  /** For `completed`: the transfer of the payout; undefined if the merchant confirms the payout. */
  payout?: Transfer;
  /** For `initiated`: the transfer that returned the payout. */
  returnTransfer?: Transfer | undefined;
  /** For `processing`: the refund was marked as paid by mistake. */
  isMistaken?: boolean;
};

/** A refund with its charge. The caller must hold the lock of the charge to change the refund. */
export type RefundWithCharge = { refund: Refund; charge: Charge };

const eventTypeByStatus = {
  initiated: 'refund_initiated',
  processing: 'refund_processing',
  completed: 'refund_completed',
  cancelled: 'refund_cancelled',
} as const satisfies Record<RefundStatus, EventType>;

/**
 * Changes the status of a refund, records its event, informs the customer of a payout by email, and withdraws the
 * unsent email that asks for payout details, in the caller's transaction. No other code writes the status. Throws
 * `refund_not_initiated` or `refund_not_processing` if the transition is not allowed, or the status has changed since
 * the caller read the refund. A refund is not cancelled while a payout file contains it. Throws
 * `statement_undo_in_progress` if a refund changes from `initiated` to `processing` or `completed` while a statement
 * with money of the charge is being undone.
 */
export async function transitionRefund(
  uow: UnitOfWork<MessageService>,
  { refund, charge }: RefundWithCharge,
  to: RefundStatus,
  change: RefundChange,
): Promise<Refund> {
  const isReturned = change.returnTransfer !== undefined;
  const { isMistaken = false } = change;
  const isExported = refund.payoutExportedAt !== null;
  if (!canTransitionRefund(refund.status, to, { mode: refund.mode, isReturned, isMistaken, isExported }))
    throw createTransitionError(refund, to);
  const isStarting = refund.status === 'initiated' && to !== 'cancelled';
  if (isStarting) await requireNoUndo(uow.tx, charge);
  const [updated] = await uow.tx.refund.updateManyAndReturn({
    where: {
      ...{ id: refund.id, status: refund.status },
      // Files claim refunds without the lock of the charge.
      ...(to === 'cancelled' && { payoutExportedAt: null }),
    },
    data: {
      ...change.data,
      status: to,
      version: { increment: 1 },
      updatedAt: change.now,
      completedAt: to === 'completed' ? change.now : null,
    },
  });
  if (!updated) throw createTransitionError(refund, to);
  const { payout, actor, now, systemNow = new Date(now) } = change;
  if (refund.status === 'initiated') await withdrawRefundLink(uow, refund, { systemNow });
  if (to === 'completed') {
    await recordPayout(uow.tx, { refund: updated, charge }, { payout, actor, now });
    await mailRefundSent(uow, { refund: updated, charge }, { systemNow });
  }
  recordRefundEvent(uow, { refund: updated, charge }, change);
  return updated;
}

export function recordRefundEvent(
  uow: UnitOfWork,
  { refund, charge }: RefundWithCharge,
  options: { now: MerchantTime; actor: string },
): void {
  recordEvent(uow, {
    merchantId: refund.merchantId,
    mode: refund.mode,
    type: eventTypeByStatus[refund.status],
    objectId: refund.id,
    objectVersion: refund.version,
    payload: { ...toRefundView(refund, charge), notifyPayload: charge.notifyPayload ?? undefined },
    actor: options.actor,
    now: options.now,
  });
}

/** Returns the error whose code names the status that the transition requires. */
function createTransitionError(refund: Refund, to: RefundStatus): DomainError {
  const condition = getMissingCondition(refund.status, to);
  const detail = `The refund ${refund.id} has the status "${refund.status}", which cannot change to "${to}"${condition}`;
  const isFromProcessing = to === 'completed' || to === 'initiated';
  return new DomainError(isFromProcessing ? 'refund_not_processing' : 'refund_not_initiated', detail);
}

function getMissingCondition(from: RefundStatus, to: RefundStatus): string {
  if (from === 'completed' && to === 'initiated') return ' before the bank returns the payout';
  return from === 'processing' && to === 'cancelled'
    ? ' while a payment file contains it; reopen the refund first, which removes it from the file'
    : '';
}
