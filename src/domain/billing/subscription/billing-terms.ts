import type { Charge, Subscription, SubscriptionPlan } from '../../../../prisma/client/client.ts';
import type { Money } from '../../../kit/money.ts';
import type { OrderLine } from '../../platform/order-line.ts';
import { addTaxLine, applyTax, type TaxedPrice } from '../subscription-plan/tax.ts';
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

type PricedSubscription = { subscription: Pick<Subscription, 'amount'>; plan: SubscriptionPlan };

/** Returns the price of the next renewal, which may differ from that of the plan. */
export function getRenewalPrice({ subscription, plan }: PricedSubscription): TaxedPrice {
  return applyTax(subscription.amount, plan);
}

/** Returns the total of the next renewal with tax. */
export function getRenewalMoney(target: PricedSubscription): Money {
  return { minor: getRenewalPrice(target).total, currency: target.plan.currency };
}

/** Returns the order lines of a renewal. */
export function getRenewalOrders({ subscription, plan }: PricedSubscription): OrderLine[] {
  return getOrdersAtPrice(plan, subscription.amount);
}

/** Returns the order lines of a plan. At another price than that of the plan, the lines have no prices. */
function getOrdersAtPrice(plan: SubscriptionPlan, price: bigint): OrderLine[] {
  const orders = plan.orders as OrderLine[];
  return price === plan.amount ? orders : orders.map(({ amount: _, ...line }) => line);
}

/** Returns the order lines of a plan, including the line of an exclusive tax on the recurring price. */
export function getPlanOrders(plan: SubscriptionPlan): OrderLine[] {
  return getTaxedOrders(plan, plan.amount);
}

/** Returns the order lines of the first payment's charge, including the line of an exclusive tax. */
export function getInitialOrders(plan: SubscriptionPlan): OrderLine[] {
  return getTaxedOrders(plan, plan.initialAmount ?? plan.amount);
}

function getTaxedOrders(plan: SubscriptionPlan, minor: bigint): OrderLine[] {
  const { tax } = applyTax(minor, plan);
  return addTaxLine(getOrdersAtPrice(plan, minor), plan, { minor: tax, currency: plan.currency });
}

/** Returns whether a charge is a first payment below the recurring price at enrolment. */
export function isIntroductory(
  { invoiceId, merchantAmount }: Pick<Charge, 'invoiceId' | 'merchantAmount'>,
  { fullPrice }: Pick<Subscription, 'fullPrice'>,
): boolean {
  return invoiceId === null && merchantAmount < fullPrice;
}

export function getBillingState(subscription: Subscription): BillingState {
  const { status, numPaymentsComplete, activeUntil, nextPayment, anchorDay } = subscription;
  const { paidAt, pausedAt, resumesAt } = subscription;
  return { status, numPaymentsComplete, activeUntil, nextPayment, anchorDay, paidAt, pausedAt, resumesAt };
}
