import { renewSubscriptions } from '../domain/billing/collection/renew-subscriptions.ts';
import { cancelSubscription } from '../domain/billing/subscription/cancel-subscription.ts';
import { createSubscriptionLink } from '../domain/billing/subscription/create-subscription-link.ts';
import { enrol } from '../domain/billing/subscription/enrol.ts';
import { createSubscriptionPlan } from '../domain/billing/subscription-plan/create-subscription-plan.ts';
import { simulateTransfer } from '../domain/money-in/transfer/simulate-transfer.ts';
import type { Service } from '../domain/platform/service.ts';
import { transact } from '../event/unit-of-work.ts';
import { dayMs } from '../kit/duration.ts';
import type { MethodCode } from '../method/catalog.ts';

const mode = 'sandbox';
const actor = 'customer';

/**
 * The customers with the time of their enrolment and the resulting state of their subscription. A transfer without
 * a payment reference leaves the subscription unpaid, and needs review.
 */
const customers: [
  email: string,
  method: MethodCode,
  daysAgo: number,
  outcome: 'paid' | 'unreferenced' | 'cancelled',
][] = [
  ['mei.lin@example.com', 'fps', 45, 'paid'],
  ['somchai@example.com', 'prompt-pay', 30, 'paid'],
  ['aisyah@example.com', 'duit-now', 12, 'paid'],
  ['jack@example.com', 'au-bank-transfer', 9, 'cancelled'],
  ['ada@example.com', 'fps', 0, 'unreferenced'],
];

/**
 * Creates a plan and customers in several states in the demo merchant's sandbox, so that its pages show data.
 * Does nothing if any plan exists.
 */
export async function ensureDemoSubscriptions(
  service: Service,
  merchantId: string,
  now: Date,
): Promise<void> {
  const existingPlan = await service.prisma.subscriptionPlan.findFirst({ where: { merchantId, mode } });
  if (existingPlan) return;
  const merchant = await service.prisma.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const createdAt = new Date(now.getTime() - 60 * dayMs);
  const plan = await createSubscriptionPlan(service, {
    merchant,
    mode,
    now: createdAt,
    input: {
      name: 'Tea of the month',
      currency: 'HKD',
      recurringPayment: { amount: 128, period: 'months', count: 1 },
      numPayments: 12,
      orders: [{ name: 'A tin of tea', quantity: 1, amount: 128 }],
    },
  });
  const link = await createSubscriptionLink(service, {
    merchant,
    mode,
    now: createdAt,
    input: { subscriptionPlanId: plan.id },
  });
  for (const [email, method, daysAgo, outcome] of customers) {
    const enrolledAt = new Date(now.getTime() - daysAgo * dayMs);
    const options = { merchant, link, method, customer: { email }, language: 'en', actor, now: enrolledAt };
    const scope = { merchantId, mode, actor } as const;
    // In one transaction, because running workers would otherwise expire a charge with a past date before it is paid.
    const subscription = await transact(service, async (uow) => {
      const result = await enrol(uow, options);
      const kind = outcome === 'unreferenced' ? 'missing_reference' : 'exact';
      const input = { chargeId: result.charge!.id, kind } as const;
      await simulateTransfer(uow, { merchant, mode, actor, input, now: enrolledAt });
      return result.subscription;
    });
    if (outcome === 'cancelled') await cancelSubscription(service, { ...scope, id: subscription.id, now });
  }
  // Runs each renewal step that is due, with the time at which it was due.
  for (;;) {
    const dueAt = await findNextDueAt(service, merchantId, now);
    if (!dueAt) return;
    await renewSubscriptions(service, { now: dueAt, onlyMerchantId: merchantId });
  }
}

async function findNextDueAt(service: Service, merchantId: string, now: Date): Promise<Date | null> {
  const next = await service.prisma.subscription.findFirst({
    where: { merchantId, mode, dueAt: { lte: now } },
    orderBy: { dueAt: 'asc' },
    select: { dueAt: true },
  });
  return next?.dueAt ?? null;
}
