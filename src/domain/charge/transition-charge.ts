import type { Charge, ChargeStatus } from '../../../prisma/client/client.ts';
import type { Message } from '../../event/catalogue.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { settleSubscriptionCharge } from '../subscription/settle-subscription-charge.ts';
import { chargePayload } from './charge-payload.ts';
import { chargeTransitions } from './charge-state.ts';

type Change = {
  now: Date;
  actor: string;
  completedBy?: 'transfer' | 'hand';
  /** Added to what has been received. */
  received?: bigint;
};

/** What each status tells the merchant. Only subscriptions hear `charge_completed`, see the event catalogue. */
const messagesOf: Record<ChargeStatus, readonly Message[]> = {
  pending: [],
  completed: ['CHARGE_COMPLETE', 'charge_completed'],
  expired: ['charge_expired'],
  cancelled: ['charge_cancelled'],
};

/**
 * The one writer of a charge's status: compare-and-set on the status the caller read, and its events, in the caller's
 * transaction. With a subscription's charge the subscription moves on too. Error: `charge_not_pending` when the status has moved on or the table does not allow the step.
 */
export async function transitionCharge(
  tx: Tx,
  charge: Charge,
  to: ChargeStatus,
  change: Change,
): Promise<Charge> {
  if (!chargeTransitions[charge.status].includes(to)) throw chargeNotPending(charge);
  const messages = messagesOf[to].filter(
    (message) => message !== 'charge_completed' || charge.subscriptionId !== null,
  );
  const [moved] = await tx.charge.updateManyAndReturn({
    where: { id: charge.id, status: charge.status },
    data: {
      status: to,
      version: { increment: messages.length },
      updatedAt: change.now,
      ...(change.received !== undefined && { amountReceived: { increment: change.received } }),
      ...(to === 'completed' && { completedAt: change.now, completedBy: change.completedBy ?? 'hand' }),
    },
  });
  if (!moved) throw chargeNotPending(charge);
  for (const [i, message] of messages.entries()) {
    await recordChargeEvent(tx, moved, message, {
      ...change,
      version: moved.version - messages.length + i + 1,
    });
  }
  const { subscriptionId } = moved;
  if (to === 'completed' && subscriptionId !== null) {
    await settleSubscriptionCharge(tx, { ...moved, subscriptionId }, change);
  }
  return moved;
}

/** Writes one event of a charge. A callback goes out for its completion alone. */
export async function recordChargeEvent(
  tx: Tx,
  charge: Charge,
  message: Message,
  options: { now: Date; actor: string; version?: number },
): Promise<void> {
  await recordEvent(tx, {
    merchantId: charge.merchantId,
    mode: charge.mode,
    message,
    objectId: charge.id,
    objectVersion: options.version ?? charge.version,
    payload: chargePayload(charge),
    actor: options.actor,
    callbackUrl: message === 'CHARGE_COMPLETE' ? charge.notifyUrl : null,
    now: options.now,
  });
}

function chargeNotPending(charge: Charge): DomainError {
  return new DomainError('charge_not_pending', `The charge ${charge.id} is no longer pending`);
}
