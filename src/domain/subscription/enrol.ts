import type {
  Charge,
  Merchant,
  Subscription,
  SubscriptionLink,
  SubscriptionPlan,
} from '../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../event/unit-of-work.ts';
import type { MerchantTime } from '../../kit/clock.ts';
import type { Tx } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import { newDrawnId, newId } from '../../kit/id.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { type PageVisitor, withCheckoutSlot } from '../checkout/checkout-slot.ts';
import type { CustomerDetails } from '../customer/customer-input.ts';
import { recordCustomer, recordPageCustomer } from '../customer/record-customer.ts';
import { getActiveAccounts } from '../receiving-account/get-active-accounts.ts';
import type { Service } from '../service.ts';
import { askPayment, methodData } from './ask-payment.ts';
import { requireOffered } from './charge-terms-of.ts';
import { offeredMethods } from './create-subscription-link.ts';
import { drawnFromForm, findEnrolled, type SameCustomer } from './find-enrolled.ts';
import { limitEnrolments } from './limit-enrolments.ts';
import { lockSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { isUnstarted } from './subscription-state.ts';
import { initialMoney, termsOf } from './terms.ts';
import { afterFreeStart } from './timeline.ts';
import { recordSubscriptionEvents, transitionSubscription } from './transition-subscription.ts';

export type Enrolment = {
  subscription: Subscription;
  /** Null where nothing is paid to begin with, or no longer. */
  charge: Charge | null;
};

export type EnrolOptions = {
  merchant: Merchant;
  link: SubscriptionLink;
  method: MethodCode;
  customer: CustomerDetails;
  language: string;
  /** Left out: somebody who has not enrolled yet, whatever the address. */
  same?: SameCustomer | undefined;
  /** The browser that enrols; left out where the merchant's server does. */
  visitor?: PageVisitor | undefined;
  actor: string;
  now: MerchantTime;
};

/**
 * Enrols a customer into the plan of a link: the subscription, `inactive`, with its first charge; where the first
 * payment is nothing, `active` at once. Asked again before paying by who is shown to be the same customer, the same
 * subscription. Errors: `subscription_plan_inactive`, `rate_limited`, `method_unavailable` and the others of
 * creating a charge; PaidInPart.
 */
export async function enrol(service: Service, options: EnrolOptions): Promise<Enrolment> {
  await checkOffered(service, options);
  return transact(service, (uow) => enrolByLink(uow, options));
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
export async function enrolByLink(uow: UnitOfWork<Service>, options: EnrolOptions): Promise<Enrolment> {
  const { tx } = uow;
  const { merchant, link, same, customer: details, visitor, now } = options;
  const plan = await sharePlan(tx, link.planId);
  const methods = offeredMethods(link.methods, plan.methods);
  requireOffered(methods, options.method);
  const isFree = initialMoney(plan).minor === 0n;
  const owner = { merchantId: merchant.id, mode: link.mode };
  // The customer's row is locked: two enrolments of one customer at once meet here one by one.
  const record = visitor ? recordPageCustomer : recordCustomer;
  const customerId = await record(tx, { ...owner, details, now });
  const known = await findEnrolled(uow, { ...owner, linkId: link.id, customerId, same, isFree });
  if (known && !isUnstarted(known)) return { subscription: known, charge: null };
  if (!known && visitor) await limitEnrolments(uow, { link, customerId, visitor, now });
  const id = known?.id ?? (await insertSubscription(uow, { ...options, plan, methods, customerId })).id;
  if (isFree) return { subscription: await startFree(uow, id, options), charge: null };
  const locked = await lockSubscriptionAndCharges(tx, { ...owner, id });
  const charge = await askPayment(uow, locked, options);
  const subscription = await tx.subscription.findUniqueOrThrow({ where: { id } });
  return { subscription, charge };
}

/** The plan, which keeps its terms until the transaction ends. Error: `subscription_plan_inactive`. */
async function sharePlan(tx: Tx, id: string): Promise<SubscriptionPlan> {
  await tx.$queryRaw`SELECT 1 FROM subscription_plan WHERE id = ${id} FOR SHARE`;
  const plan = await tx.subscriptionPlan.findUniqueOrThrow({ where: { id } });
  if (plan.status !== 'active') throw new DomainError('subscription_plan_inactive');
  return plan;
}

async function insertSubscription(
  uow: UnitOfWork<Service>,
  options: EnrolOptions & { plan: SubscriptionPlan; methods: string[]; customerId: string },
): Promise<Subscription> {
  const { link, plan, customer: details, customerId, same, now, actor } = options;
  const drawn = drawnFromForm({ linkId: link.id, customerId, same });
  const subscription = await uow.tx.subscription.create({
    data: {
      id: drawn === undefined ? newId('subscription', now) : newDrawnId('subscription', now, drawn),
      merchantId: plan.merchantId,
      mode: plan.mode,
      planId: plan.id,
      linkId: link.id,
      customerId,
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
  await recordSubscriptionEvents(uow, [subscription], { message: 'subscription_created', now, actor });
  return subscription;
}

/** Counts against the visitor's network, because the renewals of a free subscription use payment references too. */
async function startFree(
  uow: UnitOfWork<Service>,
  id: string,
  { visitor, now, actor }: Pick<EnrolOptions, 'visitor' | 'now' | 'actor'>,
): Promise<Subscription> {
  const locked = await lockSubscription(uow.tx, id);
  const { merchantId, mode } = locked.subscription;
  const standing = afterFreeStart(termsOf(locked.plan), now);
  const change = { now, actor, message: 'subscription_paid', standing } as const;
  const start = async () => (await transitionSubscription(uow, locked, change)).subscription;
  return visitor ? withCheckoutSlot(uow, { merchantId, mode, visitor, now }, start) : start();
}
