import type { Charge, Invoice, Mode, Subscription, SubscriptionPlan } from '../../prisma/client/client.ts';
import type { NewMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { createSubscriptionLink } from '../../src/domain/billing/subscription/create-subscription-link.ts';
import { type Enrolment, enrol } from '../../src/domain/billing/subscription/enrol.ts';
import {
  type CreateSubscriptionPlanInput,
  createSubscriptionPlan,
} from '../../src/domain/billing/subscription-plan/create-subscription-plan.ts';
import { completeCharges } from '../../src/domain/money-in/transfer/complete-charges.ts';
import { lockCharge } from '../../src/domain/payments/charge/lock-charge.ts';
import type { Service } from '../../src/domain/platform/service.ts';
import { transact } from '../../src/event/unit-of-work.ts';
import type { MethodCode } from '../../src/method/catalog.ts';
import { copyObject } from './copy-rows.ts';
import { noon } from './seed.ts';

/** Creates a plan, by default of HKD 100 each month without emails. */
export function seedPlan(
  service: Service,
  merchant: NewMerchant,
  options: { mode?: Mode; input?: Partial<CreateSubscriptionPlanInput>; now?: Date } = {},
): Promise<SubscriptionPlan> {
  return createSubscriptionPlan(service, {
    merchant: merchant.merchant,
    mode: options.mode ?? 'live',
    input: {
      name: 'Tea of the month',
      currency: 'HKD',
      recurringPayment: { amount: 100, period: 'months', count: 1 },
      sendEmail: false,
      ...options.input,
    },
    now: options.now ?? noon,
  });
}

/** Creates a subscription by FPS whose first payment is pending. */
export async function seedSubscription(
  service: Service,
  merchant: NewMerchant,
  options: { plan?: SubscriptionPlan; email?: string; method?: MethodCode; now?: Date } = {},
): Promise<Enrolment> {
  const { now = noon, method = 'fps', email = 'ada@example.com' } = options;
  const plan = options.plan ?? (await seedPlan(service, merchant, { now }));
  const link = await createSubscriptionLink(service, {
    merchant: merchant.merchant,
    mode: plan.mode,
    input: { subscriptionPlanId: plan.id, notifyPayload: 'from the shop' },
    now,
  });
  return enrol(service, {
    ...{ merchant: merchant.merchant, link, method, now },
    customer: { email },
    language: 'en',
    actor: 'customer',
  });
}

export async function seedActiveSubscription(
  service: Service,
  merchant: NewMerchant,
  options: { plan?: SubscriptionPlan; email?: string; now?: Date } = {},
): Promise<Subscription> {
  const { subscription, charge } = await seedSubscription(service, merchant, options);
  await completeCharge(service, charge!, options.now ?? noon);
  return readSubscription(service, subscription.id);
}

/** Copies an active subscription once for each of `changes`, with its events and without a charge. */
export async function copySubscription(
  service: Service,
  first: Subscription,
  changes: readonly Partial<Subscription>[],
): Promise<Subscription[]> {
  const ids = await copyObject(
    service,
    'subscription',
    first,
    // Passes all values, because the job may have changed the row since it was read.
    changes.map((change) => toColumns({ ...first, numPaymentsComplete: 0, ...change })),
  );
  const copies = await service.prisma.subscription.findMany({ where: { id: { in: ids } } });
  const byId = new Map(copies.map((copy) => [copy.id, copy]));
  return ids.map((id) => byId.get(id)!);
}

function toColumns(change: object): Record<string, unknown> {
  const toColumnName = (member: string) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(change).map(([member, value]) => [toColumnName(member), value]));
}

/** Completes a charge in any mode, even after it has expired. */
export function completeCharge(
  service: Service,
  { id, merchantId, mode }: Charge,
  now: Date,
): Promise<Charge> {
  return transact(service, async (uow) => {
    const charge = await lockCharge(uow.tx, { id, merchantId, mode });
    const [completed] = await completeCharges(uow, [{ charge, completedBy: 'sandbox' }], {
      now,
      systemNow: now,
      actor: 'key:feed',
    });
    return completed!;
  });
}

export function readSubscription(service: Service, id: string): Promise<Subscription> {
  return service.prisma.subscription.findUniqueOrThrow({ where: { id } });
}

export function readInvoices(service: Service, subscriptionId: string): Promise<Invoice[]> {
  return service.prisma.invoice.findMany({ where: { subscriptionId }, orderBy: { number: 'asc' } });
}

export function readCharges(service: Service, subscriptionId: string): Promise<Charge[]> {
  // Sorts the pending charge last among charges of the same millisecond.
  return service.prisma.charge.findMany({
    where: { subscriptionId },
    orderBy: [{ createdAt: 'asc' }, { status: 'desc' }],
  });
}
