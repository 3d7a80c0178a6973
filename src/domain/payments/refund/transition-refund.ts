import type { Charge, Prisma, Refund, RefundStatus, Transfer } from '../../../../prisma/client/client.ts';
import type { EventType } from '../../../event/catalogue.ts';
import { recordEvent } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { recordPayout } from './record-payout.ts';
import { canTransition } from './refund-state.ts';
import { toRefundView } from './to-refund-view.ts';

type RefundChange = {
  now: MerchantTime;
  actor: string;
  data?: Pick<
    Prisma.RefundUncheckedUpdateInput,
    | 'detailsEncrypted'
    | 'linkVersion'
    | 'previousPayoutReferences'
    | 'payoutExportedAt'
    | 'payoutReference'
    | 'reopenReason'
  >;
  /** For `completed`: the transfer of the payout; undefined if a person confirms it. */
  payout?: Transfer;
  /** For `initiated`: the transfer that returned the payout. */
  returnTransfer?: Transfer | undefined;
};

/** Refunds change only under the lock of their charge, which the caller must hold. */
export type RefundWithCharge = { refund: Refund; charge: Charge };

const eventTypeByStatus = {
  initiated: 'refund_initiated',
  processing: 'refund_processing',
  completed: 'refund_completed',
  cancelled: 'refund_cancelled',
} as const satisfies Record<RefundStatus, EventType>;

/**
 * Changes the status of a refund and records its event, in the caller's transaction. No other code writes the
 * status. Compares and sets on the status that the caller read. Throws `refund_not_initiated` or
 * `refund_not_processing` if the transition is not allowed.
 */
export async function transitionRefund(
  uow: UnitOfWork,
  { refund, charge }: RefundWithCharge,
  to: RefundStatus,
  change: RefundChange,
): Promise<Refund> {
  const isReturned = change.returnTransfer !== undefined;
  if (!canTransition(refund.status, to, { mode: refund.mode, isReturned })) throw transitionError(refund, to);
  const [updated] = await uow.tx.refund.updateManyAndReturn({
    where: { id: refund.id, status: refund.status },
    data: {
      ...change.data,
      status: to,
      version: { increment: 1 },
      updatedAt: change.now,
      completedAt: to === 'completed' ? change.now : null,
    },
  });
  if (!updated) throw transitionError(refund, to);
  const { payout, actor, now } = change;
  if (to === 'completed') await recordPayout(uow.tx, { refund: updated, charge }, { payout, actor, now });
  await recordRefundEvent(uow, { refund: updated, charge }, change);
  return updated;
}

export async function recordRefundEvent(
  uow: UnitOfWork,
  { refund, charge }: RefundWithCharge,
  options: { now: MerchantTime; actor: string },
): Promise<void> {
  recordEvent(uow, {
    merchantId: refund.merchantId,
    mode: refund.mode,
    type: eventTypeByStatus[refund.status],
    objectId: refund.id,
    objectVersion: refund.version,
    payload: toRefundView(refund, charge),
    actor: options.actor,
    now: options.now,
  });
}

/** Returns an error that names the status required for the transition. */
function transitionError(refund: Refund, to: RefundStatus): DomainError {
  const detail = `The refund ${refund.id} is ${refund.status}`;
  const isFromProcessing = to === 'completed' || to === 'initiated';
  return new DomainError(isFromProcessing ? 'refund_not_processing' : 'refund_not_initiated', detail);
}
