import type { Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { DomainError, invalidInputError } from '../../../kit/errors.ts';
import { parseMoney, toDecimal } from '../../../kit/money.ts';
import type { Service } from '../../platform/service.ts';
import { lockPlanShared } from '../subscription-plan/lock-plan-shared.ts';
import { type BillingChange, recordBillingChange, requireStarted } from './billing-change.ts';
import { getRenewalMoney } from './billing-terms.ts';
import type { TermsChangeDetail } from './find-terms-changes.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { transitionSubscription } from './transition-subscription.ts';

/**
 * Without `subscriptionPlanId`, the plan stays the same. Without `amount`, which is in major units, the price
 * is that of the plan.
 */
type TermsInput = {
  subscriptionPlanId?: string | null | undefined;
  amount?: number | string | null | undefined;
};

/**
 * Changes the plan or the price of a started subscription from the next invoice on, and emails the customer. The
 * paid period and an open invoice remain as they are; nothing is prorated. Throws `subscription_not_found`,
 * `subscription_plan_not_found`, `subscription_plan_inactive`, `subscription_unstarted`, `subscription_ended`
 * or `invalid_request`.
 */
export async function changeSubscriptionTerms(
  service: Service,
  options: BillingChange & { input: TermsInput },
): Promise<Subscription> {
  const { merchantId, mode, input, now, actor } = options;
  return transact(service, async (uow) => {
    const { pendingCharges: _, ...target } = await lockSubscriptionAndCharges(uow.tx, options);
    requireStarted(target.subscription);
    const planId = input.subscriptionPlanId ?? target.plan.id;
    const plan = await lockPlanShared(uow, { merchantId, mode, id: planId });
    if (plan.id !== target.plan.id) requirePossiblePlan(target, plan);
    const amount =
      input.amount == null ? plan.amount : parseMoney(input.amount, plan.currency, '/amount').minor;
    const { subscription } = target;
    if (plan.id === target.plan.id && amount === subscription.amount) return subscription;
    const methods = plan.id === target.plan.id ? subscription.methods : plan.methods;
    const changed = await transitionSubscription(
      uow,
      { ...target, plan },
      { now, actor, eventType: 'subscription_updated', data: { planId: plan.id, amount, methods } },
    );
    const detail: TermsChangeDetail = {
      version: changed.subscription.version,
      plan: { from: target.plan.id, to: plan.id },
      price: { from: toDecimal(getRenewalMoney(target)), to: toDecimal(getRenewalMoney(changed)) },
      currency: plan.currency,
    };
    const change = { action: 'subscription.terms_changed', notice: 'changed', detail } as const;
    await recordBillingChange(uow, changed, { ...options, ...change });
    return changed.subscription;
  });
}

/** Throws `subscription_plan_inactive`, or `invalid_request` if the subscription cannot continue with the plan. */
function requirePossiblePlan(
  { subscription, plan, openInvoice }: LockedSubscription,
  next: SubscriptionPlan,
): void {
  if (next.status !== 'active') throw new DomainError('subscription_plan_inactive');
  const path = '/subscriptionPlanId';
  if (next.currency !== plan.currency)
    throw invalidInputError(path, `must be a plan in the currency of the subscription, ${plan.currency}`);
  const payments = subscription.numPaymentsComplete + (openInvoice ? 1 : 0);
  if (next.numPayments !== null && next.numPayments <= payments)
    throw invalidInputError(path, `must be a plan with more than the ${payments} payments paid or invoiced`);
}
