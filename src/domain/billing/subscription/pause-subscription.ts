import type { Subscription } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingChange, recordBillingChange, requireStarted } from './billing-change.ts';
import { applyMerchantPause, applyResumption } from './billing-schedule.ts';
import { getBillingState } from './billing-terms.ts';
import { lockSubscriptionAndCharges } from './lock-subscription.ts';
import { transitionSubscription } from './transition-subscription.ts';
import { voidOpenInvoice } from './void-open-invoice.ts';

const yearsMax = 10;

/**
 * Pauses a started subscription: no payment is due until `resumesAt` or until the merchant resumes the
 * subscription. Voids its open invoice, cancels its pending charges and emails the customer. Throws
 * `subscription_not_found`, `subscription_unstarted`, `subscription_ended`, `invalid_request`, or
 * `subscription_paused` if the merchant has already paused it.
 */
export async function pauseSubscription(
  service: Service,
  options: BillingChange & { resumesAt?: Date | null | undefined },
): Promise<Subscription> {
  const { now, actor, resumesAt = null } = options;
  if (resumesAt) checkResumesAt(resumesAt, now);
  return transact(service, async (uow) => {
    const target = await lockSubscriptionAndCharges(uow.tx, options);
    const { subscription } = target;
    requireStarted(subscription);
    if (subscription.pausedAt !== null) throw subscriptionPausedError(subscription);
    const voided = await voidOpenInvoice(uow, target, { now, actor });
    const state = applyMerchantPause(getBillingState(subscription), now, resumesAt);
    const change = { now, actor, eventType: 'subscription_paused', state } as const;
    const paused = await transitionSubscription(uow, voided, change);
    await recordBillingChange(uow, paused, {
      ...options,
      action: 'subscription.paused',
      ...(resumesAt && { detail: { resumesAt: resumesAt.toISOString() } }),
      notice: resumesAt ? 'pausedUntil' : 'paused',
    });
    return paused.subscription;
  });
}

function checkResumesAt(resumesAt: Date, now: MerchantTime): void {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + yearsMax);
  const path = '/resumesAt';
  if (resumesAt <= now) throw invalidInputError(path, `must be after the current time, ${now.toISOString()}`);
  if (resumesAt > latest) throw invalidInputError(path, `must be at most ${yearsMax} years from now`);
}

/**
 * Resumes a subscription that the merchant paused, and emails the customer, who gets the paid time back that
 * was left at the pause. Throws `subscription_not_found`, `subscription_unstarted`, `subscription_ended` or
 * `subscription_not_paused`.
 */
export async function resumeSubscription(service: Service, options: BillingChange): Promise<Subscription> {
  const { now, actor } = options;
  return transact(service, async (uow) => {
    const { pendingCharges: _, ...target } = await lockSubscriptionAndCharges(uow.tx, options);
    const { subscription } = target;
    requireStarted(subscription);
    if (subscription.pausedAt === null) {
      const detail = `The subscription ${subscription.id} cannot be resumed, because you have not paused it`;
      throw new DomainError('subscription_not_paused', detail);
    }
    const state = applyResumption(getBillingState(subscription), now);
    const change = { now, actor, eventType: 'subscription_resumed', state } as const;
    const resumed = await transitionSubscription(uow, target, change);
    await recordBillingChange(uow, resumed, {
      ...options,
      action: 'subscription.resumed',
      notice: 'resumed',
    });
    return resumed.subscription;
  });
}

export function subscriptionPausedError({ id }: Pick<Subscription, 'id'>): DomainError {
  return new DomainError('subscription_paused', `The subscription ${id} is paused`);
}
