import type { SubscriptionPlan } from '../../../../prisma/client/client.ts';
import { toJsonNumber } from '../../../kit/money.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { filterAvailableMethods } from '../../accounts/receiving-account/find-available-methods.ts';
import { type OrderLine, toOrderLineJson } from '../../platform/order-line.ts';
import { getTax } from './tax.ts';

/**
 * Returns a plan as the API documents it, without optional terms that have no value. `methods` are those of
 * the plan, or all if it has none, that are also in `available`.
 */
export function toPlanView(plan: SubscriptionPlan, available: readonly MethodCode[]) {
  const { currency, initialAmount, initialPeriod, initialCount } = plan;
  const tax = getTax(plan);
  const initialPayment = {
    ...(initialAmount !== null && { amount: toJsonNumber({ minor: initialAmount, currency }) }),
    ...(initialPeriod !== null && { period: initialPeriod }),
    ...(initialCount !== null && { count: initialCount }),
  };
  return {
    id: plan.id,
    name: plan.name,
    ...(plan.numPayments !== null && { numPayments: plan.numPayments }),
    currency,
    recurringPayment: {
      amount: toJsonNumber({ minor: plan.amount, currency }),
      period: plan.period,
      count: plan.count,
    },
    ...(Object.keys(initialPayment).length > 0 && { initialPayment }),
    sendEmail: plan.sendEmail,
    invoiceNotice: plan.invoiceNotice,
    gracePeriod: plan.gracePeriod,
    orders: (plan.orders as OrderLine[]).map(toOrderLineJson),
    methods: filterAvailableMethods(available, plan.methods),
    ...(tax && { tax: { ...tax, rate: tax.rate.toNumber() } }),
    status: plan.status,
    createdAt: plan.createdAt.toISOString(),
    updatedAt: plan.updatedAt.toISOString(),
  };
}
