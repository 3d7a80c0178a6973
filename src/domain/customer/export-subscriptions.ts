import type { Tx } from '../../kit/db.ts';
import { toJsonNumber } from '../../kit/money.ts';
import { customerCopy } from './customer-copy.ts';

/** What is kept of a customer's subscriptions, as JSON: amounts in major units. The charges stand by themselves. */
export async function exportSubscriptions(tx: Tx, ids: string[]): Promise<object[]> {
  const subscriptions = await tx.subscription.findMany({
    where: { id: { in: ids } },
    include: { plan: true, invoices: { orderBy: { id: 'asc' } } },
    orderBy: { id: 'asc' },
  });
  return subscriptions.map(({ plan, invoices, ...subscription }) => ({
    id: subscription.id,
    plan: plan.name,
    status: subscription.status,
    customer: customerCopy(subscription),
    language: subscription.language,
    method: subscription.method,
    remindersOff: subscription.remindersOff,
    numPaymentsComplete: subscription.numPaymentsComplete,
    activeUntil: subscription.activeUntil,
    nextPayment: subscription.nextPayment,
    invoices: invoices.map(({ number, status, amount, currency, dueOn, paidAt }) => ({
      ...{ number, status, amount: toJsonNumber({ minor: amount, currency }), currency, dueOn },
      ...(paidAt && { paidAt }),
    })),
    createdAt: subscription.createdAt,
  }));
}
