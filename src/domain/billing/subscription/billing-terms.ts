import type { Charge, Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { BillingState, BillingTerms } from './billing-schedule.ts';

type InitialTerms = Pick<SubscriptionPlan, 'period' | 'count' | 'initialPeriod' | 'initialCount'>;

export function toBillingTerms(
  plan: InitialTerms & Pick<SubscriptionPlan, 'numPayments' | 'invoiceNotice' | 'gracePeriod'>,
): BillingTerms {
  const recurring = { unit: plan.period, count: plan.count };
  return {
    recurring,
    initial:
      plan.initialPeriod !== null && plan.initialCount !== null
        ? { unit: plan.initialPeriod, count: plan.initialCount }
        : recurring,
    numPayments: plan.numPayments,
    invoiceNoticeDays: plan.invoiceNotice,
    graceDays: plan.gracePeriod,
  };
}

/**
 * Returns the amount of the first payment: the plan's initial amount, which may be 0, or, if there is none,
 * the recurring amount.
 */
export function getInitialMoney(
  plan: Pick<SubscriptionPlan, 'amount' | 'initialAmount' | 'currency'>,
): Money {
  return { minor: plan.initialAmount ?? plan.amount, currency: plan.currency };
}

export function getRecurringMoney(plan: Pick<SubscriptionPlan, 'amount' | 'currency'>): Money {
  return { minor: plan.amount, currency: plan.currency };
}

/** Returns whether a charge is a first payment below the recurring price. */
export function isIntroductory(
  { invoiceId, merchantAmount }: Pick<Charge, 'invoiceId' | 'merchantAmount'>,
  plan: Pick<SubscriptionPlan, 'amount'>,
): boolean {
  return invoiceId === null && merchantAmount < plan.amount;
}

export function getBillingState(subscription: Subscription): BillingState {
  const { status, numPaymentsComplete, activeUntil, nextPayment, anchorDay, paidAt } = subscription;
  return { status, numPaymentsComplete, activeUntil, nextPayment, anchorDay, paidAt };
}
