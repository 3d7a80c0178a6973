import type { Prisma, Subscription } from '../../../prisma/client/client.ts';
import type { Message } from '../../event/catalogue.ts';
import { formatNotice } from '../../event/notice.ts';
import { recordEvent } from '../../event/record-event.ts';
import { afterCommit, type Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { serviceOf } from '../service.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { loadSubscriptionParts, subscriptionObject } from './subscription-object.ts';
import { subscriptionTransitions } from './subscription-state.ts';
import { standingOf, termsOf } from './terms.ts';
import { nextStep, type Standing } from './timeline.ts';

export type SubscriptionMessage = Extract<
  Message,
  | 'subscription_created'
  | 'subscription_paid'
  | 'subscription_paused'
  | 'subscription_cancelled'
  | 'subscription_completed'
>;

type Change = {
  now: Date;
  actor: string;
  /** Null: nothing that the merchant is told of, such as another method. */
  message: SubscriptionMessage | null;
  standing?: Standing;
  data?: Pick<Prisma.SubscriptionUncheckedUpdateInput, 'method' | 'customerCurrency'>;
};

/**
 * The one writer of a subscription after its creation: where it stands, what the job does with it next, and its event,
 * in the caller's transaction and under the caller's lock. Error: `subscription_ended` when the table does not allow it.
 */
export async function transitionSubscription(
  tx: Tx,
  locked: LockedSubscription,
  change: Change,
): Promise<LockedSubscription> {
  const { subscription, plan, openInvoice } = locked;
  const standing = change.standing ?? standingOf(subscription);
  const { status } = standing;
  if (status !== subscription.status && !subscriptionTransitions[subscription.status].includes(status)) {
    throw subscriptionEnded(subscription);
  }
  const hasEnded = status === 'completed' || status === 'cancelled';
  const [moved] = await tx.subscription.updateManyAndReturn({
    where: { id: subscription.id, version: subscription.version },
    data: {
      ...change.data,
      ...standing,
      dueAt: nextStep(standing, termsOf(plan), openInvoice)?.at ?? null,
      endedAt: hasEnded ? change.now : null,
      version: { increment: 1 },
      updatedAt: change.now,
    },
  });
  if (!moved) throw new Error(`the subscription ${subscription.id} changed without its lock`);
  if (change.message !== null)
    await recordSubscriptionEvent(tx, moved, { ...change, message: change.message });
  else tellOf(tx, moved);
  return { ...locked, subscription: moved };
}

/**
 * The same for many that stand where they stood, once the job has asked for their next payment: only what it does with them
 * next. In one statement, for sweeps.
 */
export async function moveOnTogether(
  tx: Tx,
  asked: readonly LockedSubscription[],
  now: Date,
): Promise<LockedSubscription[]> {
  const moved = asked.map(({ subscription, plan, openInvoice }) => {
    const dueAt = nextStep(standingOf(subscription), termsOf(plan), openInvoice)?.at ?? null;
    const version = subscription.version + 1;
    return { plan, openInvoice, subscription: { ...subscription, dueAt, version, updatedAt: now } };
  });
  const rows = moved.map(({ subscription: { id, dueAt, version } }) => ({ id, due_at: dueAt, version }));
  const count = await tx.$executeRaw`
    UPDATE subscription SET due_at = moved.due_at, version = moved.version, updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS moved (id text, due_at timestamptz, version int)
    WHERE subscription.id = moved.id AND subscription.version = moved.version - 1`;
  if (count !== rows.length) throw new Error('a subscription changed without its lock');
  for (const { subscription } of moved) tellOf(tx, subscription);
  return moved;
}

export async function recordSubscriptionEvent(
  tx: Tx,
  subscription: Subscription,
  options: { message: SubscriptionMessage; now: Date; actor: string },
): Promise<void> {
  const { id, merchantId, mode } = subscription;
  const parts = await loadSubscriptionParts(tx, [id]);
  await recordEvent(tx, {
    merchantId,
    mode,
    message: options.message,
    objectId: id,
    objectVersion: subscription.version,
    payload: subscriptionObject(serviceOf(tx), subscription, parts.get(id)!),
    actor: options.actor,
    now: options.now,
  });
}

/** The processes read it again; there is no event. */
function tellOf(tx: Tx, { id, merchantId, mode }: Subscription): void {
  afterCommit(tx, (db) => db.announce(formatNotice({ objectId: id, merchantId, mode })));
}

export function subscriptionEnded({ id, status }: Subscription): DomainError {
  return new DomainError('subscription_ended', `The subscription ${id} is ${status}`);
}
