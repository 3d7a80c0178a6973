import {
  type Charge,
  type Merchant,
  Prisma,
  type Subscription,
  type SubscriptionLink,
  type SubscriptionPlan,
} from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import { deriveRandomPart, newDerivedId, newId } from '../../../kit/id.ts';
import { lockByName } from '../../../kit/lock-by-name.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import { getActiveAccounts } from '../../accounts/receiving-account/get-active-accounts.ts';
import type { CustomerDetails } from '../../payments/customer/customer-input.ts';
import { upsertCustomer, upsertPageCustomer } from '../../payments/customer/upsert-customer.ts';
import { type PageVisitor, withCheckoutSlot } from '../../payments/customer-page/checkout-slot.ts';
import { getPageTokenId, isPageToken } from '../../payments/customer-page/page-tokens.ts';
import type { Service } from '../../platform/service.ts';
import { lockPlanShared } from '../subscription-plan/lock-plan-shared.ts';
import { getInitialMoney, getRecurringMoney } from '../subscription-plan/tax.ts';
import { applyFreeStart } from './billing-schedule.ts';
import { toBillingTerms } from './billing-terms.ts';
import { getOfferedMethods } from './create-subscription-link.ts';
import { limitEnrolments } from './limit-enrolments.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { requestPayment, toMethodFields } from './request-payment.ts';
import { requireOfferedMethod } from './subscription-charge-terms.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { recordSubscriptionEvents, transitionSubscription } from './transition-subscription.ts';

export type Enrolment = {
  subscription: Subscription;
  /** Null if the start is free or the subscription has already started. */
  charge: Charge | null;
};

export type EnrolOptions = {
  merchant: Merchant;
  link: SubscriptionLink;
  method: MethodCode;
  customer: CustomerDetails;
  language: string;
  /** Without tokens, the request always creates a new enrolment, even for a known email address or phone. */
  tokens?: EnrolmentTokens | undefined;
  /** The browser that enrols the customer; undefined if the merchant's server does. */
  visitor?: PageVisitor | undefined;
  actor: string;
  now: MerchantTime;
};

/**
 * Enrols a customer into the plan of a link. Creates an `inactive` subscription with its first charge, or
 * starts an `active` one if the first payment is free. A repeated call with valid `tokens` returns the same
 * subscription (see `findExistingSubscription`). Throws `subscription_plan_inactive`, `rate_limited` and the errors of
 * `requestPayment`.
 */
export async function enrol(service: Service, options: EnrolOptions): Promise<Enrolment> {
  await checkOfferedMethod(service, options);
  return transact(service, (uow) => enrolInTransaction(uow, options));
}

/** Throws `method_unavailable` if the link does not offer the method or no active account accepts it. */
export async function checkOfferedMethod(
  service: Service,
  options: Pick<EnrolOptions, 'merchant' | 'method'> & { link: Pick<SubscriptionLink, 'methods' | 'mode'> },
): Promise<void> {
  const { merchant, link, method } = options;
  requireOfferedMethod(link.methods, method);
  await getActiveAccounts(service, { merchantId: merchant.id, mode: link.mode, method });
}

/** The part of `enrol` that runs in a transaction. Callers must call `checkOfferedMethod` first. */
export async function enrolInTransaction(
  uow: UnitOfWork<Service>,
  options: EnrolOptions,
): Promise<Enrolment> {
  const { tx } = uow;
  const { merchant, link, tokens, customer: details, visitor, now } = options;
  const scope = { merchantId: merchant.id, mode: link.mode };
  const plan = await lockPlanShared(uow, { ...scope, id: link.planId });
  if (plan.status !== 'active') throw new DomainError('subscription_plan_inactive');
  const methods = getOfferedMethods(link.methods, plan.methods);
  requireOfferedMethod(methods, options.method);
  const isFree = getInitialMoney(plan).minor === 0n;
  const upsert = () => (visitor ? upsertPageCustomer : upsertCustomer)(tx, { ...scope, details, now });
  let subscriber: Subscriber;
  if (visitor && details.email === undefined) {
    // Serializes concurrent submissions of one form, as they have no customer's row in common.
    await lockByName(tx, `enrolment ${link.id} ${tokens?.formToken ?? ''}`);
    subscriber = toDetailColumns(details);
  } else {
    // Locks the customer's row, which serializes concurrent enrolments of one customer.
    subscriber = { customerId: await upsert() };
  }
  const key = { ...scope, linkId: link.id, subscriber, tokens, isFree };
  const existing = await findExistingSubscription(uow, key);
  if (existing && !isUnstarted(existing)) return { subscription: existing, charge: null };
  let id = existing?.id;
  if (id === undefined) {
    const customerId = 'customerId' in subscriber ? subscriber.customerId : await upsert();
    if (visitor) await limitEnrolments(uow, { link, customerId, visitor, now });
    const inserted = await insertSubscription(uow, { ...options, plan, methods, customerId, subscriber });
    id = inserted.id;
  }
  const { pendingCharges, ...target } = await lockSubscriptionAndCharges(tx, { ...scope, id });
  // A payment or a cancellation may have been committed since `existing` was read.
  if (!isUnstarted(target.subscription)) return { subscription: target.subscription, charge: null };
  if (isFree) return { subscription: await startFreeSubscription(uow, target, options), charge: null };
  const charge = await requestPayment(uow, { ...target, pendingCharges }, options);
  const subscription = await tx.subscription.findUniqueOrThrow({ where: { id } });
  return { subscription, charge };
}

async function insertSubscription(
  uow: UnitOfWork<Service>,
  options: EnrolOptions & {
    plan: SubscriptionPlan;
    methods: string[];
    customerId: string;
    subscriber: Subscriber;
  },
): Promise<Subscription> {
  const { link, plan, customerId, subscriber, tokens, now, actor } = options;
  const idPart = deriveFormIdPart({ linkId: link.id, subscriber, tokens });
  const subscription = await uow.tx.subscription.create({
    data: {
      id: idPart === undefined ? newId('subscription', now) : newDerivedId('subscription', now, idPart),
      merchantId: plan.merchantId,
      mode: plan.mode,
      planId: plan.id,
      linkId: link.id,
      customerId,
      ...toDetailColumns(options.customer),
      language: options.language,
      ...toMethodFields(options.method),
      methods: options.methods,
      amount: plan.amount,
      fullPrice: getRecurringMoney(plan).minor,
      notifyPayload: link.notifyPayload,
      redirectUrl: link.redirectUrl,
      metadata: link.metadata ?? Prisma.DbNull,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  await recordSubscriptionEvents(uow, [subscription], { eventType: 'subscription_created', now, actor });
  return subscription;
}

/**
 * Starts a subscription whose first payment is free. A start on a customer page counts toward the limit of the
 * visitor's network, as a charge does, because the renewals will reserve payment references.
 */
async function startFreeSubscription(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { visitor, now, actor }: Pick<EnrolOptions, 'visitor' | 'now' | 'actor'>,
): Promise<Subscription> {
  const { merchantId, mode } = target.subscription;
  const state = applyFreeStart(toBillingTerms(target.plan), now);
  const change = { now, actor, eventType: 'subscription_paid', state } as const;
  const start = async () => (await transitionSubscription(uow, target, change)).subscription;
  return visitor ? withCheckoutSlot(uow, { merchantId, mode, visitor, now }, start) : start();
}

/**
 * Tokens that prove that an enrolment repeats an earlier one. An email address or phone is no proof, because
 * others may know it.
 */
type EnrolmentTokens = {
  /** The token of the subscription's page, stored by the browser that enrolled. */
  pageToken?: string | undefined;
  /** Generated each time the form is shown. A form that is submitted twice sends the same token twice. */
  formToken?: string | undefined;
};

/** The customer or, without an email on a page, the given details: each such enrolment has a customer of its own. */
type Subscriber = { customerId: string } | DetailColumns;
type DetailColumns = Pick<Subscription, 'email' | 'phone' | 'firstName' | 'lastName'>;

function toDetailColumns(details: CustomerDetails): DetailColumns {
  const { email = null, phone = null, firstName = null, lastName = null } = details;
  return { email, phone, firstName, lastName };
}

type EnrolmentKey = { linkId: string; subscriber: Subscriber; tokens: EnrolmentTokens | undefined };

/**
 * Derives the random part of a subscription ID from the form token, so that a form that is submitted again
 * finds its subscription. Returns undefined if the token is so short that it could be guessed.
 */
function deriveFormIdPart({ linkId, subscriber, tokens }: EnrolmentKey): string | undefined {
  const formToken = tokens?.formToken ?? '';
  if (formToken.length < formTokenLengthMin) return undefined;
  const identity = 'customerId' in subscriber ? subscriber.customerId : JSON.stringify(subscriber);
  return deriveRandomPart(`${formToken} ${linkId} ${identity}`);
}

/** The length of the tokens that `newToken` creates. */
const formTokenLengthMin = 43;

/**
 * Finds the customer's subscription of this link that a token identifies: the form token in any status, the page
 * token only while it is unstarted or, with a free start, ongoing. The caller must hold the lock on the customer's row
 * or on the form.
 */
async function findExistingSubscription(
  uow: UnitOfWork<Service>,
  key: MerchantScope & EnrolmentKey & { isFree: boolean },
): Promise<Subscription | null> {
  const { merchantId, mode, linkId, subscriber, isFree } = key;
  const pageToken = key.tokens?.pageToken ?? '';
  const idPart = deriveFormIdPart(key);
  const ids = [getPageTokenId(pageToken), ...(idPart === undefined ? [] : [{ endsWith: idPart }])];
  const candidates = await uow.tx.subscription.findMany({
    where: { merchantId, mode, linkId, ...subscriber, OR: ids.map((id) => ({ id })) },
  });
  const formSubscription = idPart !== undefined && candidates.find(({ id }) => id.endsWith(idPart));
  if (formSubscription) return formSubscription;
  const browserSubscription = candidates.find((candidate) =>
    isPageToken(uow.secrets, 'subscription', candidate, pageToken),
  );
  return browserSubscription && (isFree ? isOngoing(browserSubscription) : isUnstarted(browserSubscription))
    ? browserSubscription
    : null;
}
