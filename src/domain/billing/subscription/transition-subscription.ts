import type { Subscription } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import type { EventType } from '../../../event/catalog.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingState, getNextAction } from './billing-schedule.ts';
import { getBillingState, toBillingTerms } from './billing-terms.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { subscriptionTransitions } from './subscription-state.ts';
import { loadSubscriptionParts, toSubscriptionView } from './to-subscription-view.ts';

type SubscriptionEventType = Extract<
  EventType,
  | 'subscription_created'
  | 'subscription_paid'
  | 'subscription_paused'
  | 'subscription_cancelled'
  | 'subscription_completed'
  | 'subscription_resumed'
  | 'subscription_updated'
>;

type SubscriptionChangeContext = {
  now: MerchantTime;
  actor: string;
  /** Null if the change has no event, such as a new method. */
  eventType: SubscriptionEventType | null;
  /** The completed charge that caused the change, if any. */
  chargeId?: string | undefined;
};

type SubscriptionChange = SubscriptionChangeContext & {
  state?: BillingState;
  data?: Partial<Pick<Subscription, 'method' | 'customerCurrency' | 'planId' | 'amount' | 'methods'>>;
};

/**
 * Updates a locked subscription and schedules its next action, in the caller's transaction. Records the event or,
 * if `eventType` is null, only announces the change. Throws `subscription_ended` if the transition is not allowed.
 */
export async function transitionSubscription(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { state, data, ...context }: SubscriptionChange,
): Promise<LockedSubscription> {
  const update = applyBillingState(target, {
    state: state ?? getBillingState(target.subscription),
    now: context.now,
  });
  const [saved] = await saveUpdates(
    uow,
    [{ ...update, subscription: { ...update.subscription, ...data } }],
    context,
  );
  return saved!;
}

/**
 * Updates many subscriptions in a few statements; otherwise like `transitionSubscription`. `toNextState` returns the
 * new state of each.
 */
export async function transitionSubscriptions(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  {
    toNextState = (state) => state,
    ...context
  }: SubscriptionChangeContext & { toNextState?: (state: BillingState) => BillingState },
): Promise<LockedSubscription[]> {
  const updates = targets.map((target) => {
    return applyBillingState(target, {
      state: toNextState(getBillingState(target.subscription)),
      now: context.now,
    });
  });
  return saveUpdates(uow, updates, context);
}

function applyBillingState(
  { subscription, plan, openInvoice }: LockedSubscription,
  { state, now }: { state: BillingState; now: MerchantTime },
): LockedSubscription {
  const { status } = state;
  if (status !== subscription.status && !subscriptionTransitions[subscription.status].includes(status)) {
    throw subscriptionEndedError(subscription);
  }
  const hasEnded = status === 'completed' || status === 'cancelled';
  const dueAt = getNextAction(state, toBillingTerms(plan), openInvoice)?.at ?? null;
  const version = subscription.version + 1;
  const fields = { dueAt, endedAt: hasEnded ? now : null, version, updatedAt: now };
  return { plan, openInvoice, subscription: { ...subscription, ...state, ...fields } };
}

/** Writes the updated subscriptions. Throws if one was not locked, which the version shows. */
async function saveUpdates(
  uow: UnitOfWork<Service>,
  updates: LockedSubscription[],
  { eventType, ...change }: SubscriptionChangeContext,
): Promise<LockedSubscription[]> {
  const { now } = change;
  const updated = updates.map(({ subscription }) => subscription);
  const updatedCount = await uow.tx.$executeRaw`
    UPDATE subscription SET status = change.status::subscription_status, plan_id = change."planId", amount = change.amount,
      methods = array(SELECT json_array_elements_text(change.methods)), method = change.method,
      customer_currency = change."customerCurrency", num_payments_complete = change."numPaymentsComplete",
      active_until = change."activeUntil", next_payment = change."nextPayment", anchor_day = change."anchorDay",
      due_at = change."dueAt", paid_at = change."paidAt", paused_at = change."pausedAt",
      resumes_at = change."resumesAt", ended_at = change."endedAt", version = change.version,
      updated_at = ${now}
    FROM json_to_recordset(${JSON.stringify(updated.map(toColumns))}::json) AS change (id text, status text, "planId" text, amount bigint,
      methods json, method text,
      "customerCurrency" text, "numPaymentsComplete" int, "activeUntil" timestamptz, "nextPayment" timestamptz,
      "anchorDay" int, "dueAt" timestamptz, "paidAt" timestamptz, "pausedAt" timestamptz, "resumesAt" timestamptz, "endedAt" timestamptz, version int)
    WHERE subscription.id = change.id AND subscription.version = change.version - 1`;
  if (updatedCount !== updated.length) throw new Error('a subscription was changed without locking it');
  if (eventType === null) for (const subscription of updated) announceSubscription(uow, subscription);
  else await recordSubscriptionEvents(uow, updated, { eventType, ...change });
  return updates;
}

function toColumns(subscription: Subscription) {
  const { id, planId, amount, methods, method, customerCurrency, dueAt, endedAt, version } = subscription;
  const columns = { id, planId, amount: amount.toString(), methods, method, customerCurrency };
  return { ...columns, dueAt, endedAt, version, ...getBillingState(subscription) };
}

export async function recordSubscriptionEvents(
  uow: UnitOfWork<Service>,
  subscriptions: readonly Subscription[],
  change: SubscriptionChangeContext & { eventType: SubscriptionEventType },
): Promise<void> {
  const { eventType, now, actor, chargeId } = change;
  const parts = await loadSubscriptionParts(
    uow.tx,
    subscriptions.map(({ id }) => id),
  );
  const events = subscriptions.map((subscription) => ({
    merchantId: subscription.merchantId,
    mode: subscription.mode,
    type: eventType,
    objectId: subscription.id,
    objectVersion: subscription.version,
    payload: { ...toSubscriptionView(uow, subscription, parts.get(subscription.id)!), chargeId },
    actor,
    now,
  }));
  recordEvents(uow, events);
}

/** Announces the change to all processes without recording an event. */
function announceSubscription(uow: UnitOfWork, { id, merchantId, mode }: Subscription): void {
  announceChange(uow, { objectId: id, merchantId, mode });
}

export function subscriptionEndedError({ id, status }: Subscription): DomainError {
  return new DomainError(
    'subscription_ended',
    `The subscription ${id} cannot be changed, because it is ${status}`,
  );
}
