import type {
  Charge,
  Merchant,
  Subscription,
  SubscriptionLink,
  SubscriptionPlan,
} from '../../../prisma/client/client.ts';
import { type Tx, transact } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { newId } from '../../kit/id.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { recordCustomer } from '../customer/record-customer.ts';
import { getActiveAccounts } from '../receiving-account/get-active-accounts.ts';
import type { Service } from '../service.ts';
import { askPayment, methodData } from './ask-payment.ts';
import { requireOffered } from './charge-terms-of.ts';
import { offeredMethods } from './create-subscription-link.ts';
import { lockSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { initialMoney, termsOf } from './terms.ts';
import { afterFreeStart } from './timeline.ts';
import { recordSubscriptionEvents, transitionSubscription } from './transition-subscription.ts';

export type Enrolment = {
  subscription: Subscription;
  /** Null where nothing is paid to begin with. */
  charge: Charge | null;
  /** False when the customer had enrolled by the same link before and not paid yet. */
  isNew: boolean;
};

export type EnrolOptions = {
  merchant: Merchant;
  link: SubscriptionLink;
  method: MethodCode;
  customer: CustomerDetails;
  language: string;
  actor: string;
  now: Date;
};

/**
 * Enrols a customer into the plan of a link: the subscription, `inactive`, with its first charge; where the first
 * payment is nothing, `active` at once. Asked again by the same customer before paying, the same subscription. Errors:
 * `subscription_plan_inactive`, `method_unavailable` and the others of creating a charge.
 */
export async function enrol(service: Service, options: EnrolOptions): Promise<Enrolment> {
  await checkOffered(service, options);
  return transact(service, (tx) => enrolByLink(tx, options));
}

/** Errors: `method_unavailable` where the link does not offer the method, or there is no account for it. */
export async function checkOffered(
  service: Service,
  { merchant, link, method }: Pick<EnrolOptions, 'merchant' | 'method'> & { link: OfferedLink },
): Promise<void> {
  requireOffered(link.methods, method);
  await getActiveAccounts(service, { merchantId: merchant.id, mode: link.mode, method });
}

type OfferedLink = Pick<SubscriptionLink, 'methods' | 'mode'>;

/** As enrol, in the caller's transaction. */
export async function enrolByLink(tx: Tx, options: EnrolOptions): Promise<Enrolment> {
  const { merchant, link, now, actor } = options;
  const details = { ...(link.customer as CustomerDetails | null), ...options.customer };
  const plan = await sharePlan(tx, link.planId);
  const methods = offeredMethods(link.methods, plan.methods);
  requireOffered(methods, options.method);
  const isFree = initialMoney(plan).minor === 0n;
  const owner = { merchantId: merchant.id, mode: link.mode };
  // The customer's row is locked: two enrolments of one customer at once meet here one by one.
  const customer = await recordCustomer(tx, { ...owner, details, now });
  const known = await findKnown(tx, { linkId: link.id, customerId: customer.id, isFree });
  if (known && isFree) return { subscription: known, charge: null, isNew: false };
  const id =
    known?.id ??
    (await insertSubscription(tx, { ...options, plan, methods, customerId: customer.id, details })).id;
  if (isFree) return { subscription: await startFree(tx, id, { now, actor }), charge: null, isNew: true };
  const locked = await lockSubscriptionAndCharges(tx, { ...owner, id });
  const charge = await askPayment(tx, locked, options);
  const subscription = await tx.subscription.findUniqueOrThrow({ where: { id } });
  return { subscription, charge, isNew: known === null };
}

/** The plan, which keeps its terms until the transaction ends. Error: `subscription_plan_inactive`. */
async function sharePlan(tx: Tx, id: string): Promise<SubscriptionPlan> {
  await tx.$queryRaw`SELECT 1 FROM subscription_plan WHERE id = ${id} FOR SHARE`;
  const plan = await tx.subscriptionPlan.findUniqueOrThrow({ where: { id } });
  if (plan.status !== 'active') throw new DomainError('subscription_plan_inactive');
  return plan;
}

/** The customer's own by the same link: not paid yet, or where nothing is paid to begin with, still going on. */
function findKnown(
  tx: Tx,
  { linkId, customerId, isFree }: { linkId: string; customerId: string; isFree: boolean },
): Promise<Subscription | null> {
  const unpaid = { status: 'inactive', activeUntil: null } as const;
  return tx.subscription.findFirst({
    where: { linkId, customerId, ...(isFree ? { status: { in: ['active', 'inactive'] } } : unpaid) },
    orderBy: { id: 'desc' },
  });
}

async function insertSubscription(
  tx: Tx,
  options: EnrolOptions & {
    plan: SubscriptionPlan;
    methods: string[];
    customerId: string;
    details: CustomerDetails;
  },
): Promise<Subscription> {
  const { link, plan, details, now, actor } = options;
  const subscription = await tx.subscription.create({
    data: {
      id: newId('subscription', now),
      merchantId: plan.merchantId,
      mode: plan.mode,
      planId: plan.id,
      linkId: link.id,
      customerId: options.customerId,
      email: details.email ?? null,
      phone: details.phone ?? null,
      firstName: details.firstName ?? null,
      lastName: details.lastName ?? null,
      language: options.language,
      ...methodData(options.method),
      methods: options.methods,
      notifyPayload: link.notifyPayload,
      redirectUrl: link.redirectUrl,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  await recordSubscriptionEvents(tx, [subscription], { message: 'subscription_created', now, actor });
  return subscription;
}

async function startFree(tx: Tx, id: string, change: { now: Date; actor: string }): Promise<Subscription> {
  const locked = await lockSubscription(tx, id);
  const standing = afterFreeStart(termsOf(locked.plan), change.now);
  const options = { ...change, message: 'subscription_paid', standing } as const;
  return (await transitionSubscription(tx, locked, options)).subscription;
}
