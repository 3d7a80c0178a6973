import type { Subscription } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { Message } from '../../../event/catalogue.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
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

type Told = {
  now: MerchantTime;
  actor: string;
  /** Null: nothing that the merchant is told of, such as another method. */
  message: SubscriptionMessage | null;
};

type Change = Told & { standing?: Standing; data?: Pick<Subscription, 'method' | 'customerCurrency'> };

/**
 * Where a subscription stands from now on, what the job does with it next, and its event, in the caller's transaction and
 * under the caller's lock. Error: `subscription_ended` when the table does not allow it.
 */
export async function transitionSubscription(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { standing, data, ...told }: Change,
): Promise<LockedSubscription> {
  const moved = moveOf(locked, { standing: standing ?? standingOf(locked.subscription), now: told.now });
  const [stored] = await storeMoves(
    uow,
    [{ ...moved, subscription: { ...moved.subscription, ...data } }],
    told,
  );
  return stored!;
}

/** The same of many, each standing where `stand` says, in a few statements: for sweeps. */
export async function transitionTogether(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  { stand = (standing) => standing, ...told }: Told & { stand?: (standing: Standing) => Standing },
): Promise<LockedSubscription[]> {
  const moves = queue.map((locked) => {
    return moveOf(locked, { standing: stand(standingOf(locked.subscription)), now: told.now });
  });
  return storeMoves(uow, moves, told);
}

function moveOf(
  { subscription, plan, openInvoice }: LockedSubscription,
  { standing, now }: { standing: Standing; now: MerchantTime },
): LockedSubscription {
  const { status } = standing;
  if (status !== subscription.status && !subscriptionTransitions[subscription.status].includes(status)) {
    throw subscriptionEnded(subscription);
  }
  const hasEnded = status === 'completed' || status === 'cancelled';
  const dueAt = nextStep(standing, termsOf(plan), openInvoice)?.at ?? null;
  const version = subscription.version + 1;
  const ends = { dueAt, endedAt: hasEnded ? now : null, version, updatedAt: now };
  return { plan, openInvoice, subscription: { ...subscription, ...standing, ...ends } };
}

/** The one writer of where a subscription stands, after its creation. */
async function storeMoves(
  uow: UnitOfWork<Service>,
  moves: LockedSubscription[],
  { message, now, actor }: Told,
): Promise<LockedSubscription[]> {
  const moved = moves.map(({ subscription }) => subscription);
  const stored = await uow.tx.$executeRaw`
    UPDATE subscription SET status = moved.status::subscription_status, method = moved.method,
      customer_currency = moved."customerCurrency", num_payments_complete = moved."numPaymentsComplete",
      active_until = moved."activeUntil", next_payment = moved."nextPayment", anchor_day = moved."anchorDay",
      due_at = moved."dueAt", paid_at = moved."paidAt", ended_at = moved."endedAt", version = moved.version,
      updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(moved.map(columnsOf))}::json) AS moved (id text, status text, method text,
      "customerCurrency" text, "numPaymentsComplete" int, "activeUntil" timestamptz, "nextPayment" timestamptz,
      "anchorDay" int, "dueAt" timestamptz, "paidAt" timestamptz, "endedAt" timestamptz, version int)
    WHERE subscription.id = moved.id AND subscription.version = moved.version - 1`;
  if (stored !== moved.length) throw new Error('a subscription was changed without locking it');
  if (message === null) for (const subscription of moved) tellOf(uow, subscription);
  else await recordSubscriptionEvents(uow, moved, { message, now, actor });
  return moves;
}

function columnsOf(subscription: Subscription) {
  const { id, method, customerCurrency, dueAt, endedAt, version } = subscription;
  return { id, method, customerCurrency, dueAt, endedAt, version, ...standingOf(subscription) };
}

export async function recordSubscriptionEvents(
  uow: UnitOfWork<Service>,
  subscriptions: readonly Subscription[],
  { message, now, actor }: { message: SubscriptionMessage; now: MerchantTime; actor: string },
): Promise<void> {
  const parts = await loadSubscriptionParts(
    uow.tx,
    subscriptions.map(({ id }) => id),
  );
  const events = subscriptions.map((subscription) => ({
    merchantId: subscription.merchantId,
    mode: subscription.mode,
    message,
    objectId: subscription.id,
    objectVersion: subscription.version,
    payload: subscriptionObject(uow, subscription, parts.get(subscription.id)!),
    actor,
    now,
  }));
  recordEvents(uow, events);
}

/** The processes read it again; there is no event. */
function tellOf(uow: UnitOfWork, { id, merchantId, mode }: Subscription): void {
  announceChange(uow, { objectId: id, merchantId, mode });
}

export function subscriptionEnded({ id, status }: Subscription): DomainError {
  return new DomainError('subscription_ended', `The subscription ${id} is ${status}`);
}
