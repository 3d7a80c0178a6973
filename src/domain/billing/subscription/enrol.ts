import type {
  Charge,
  Merchant,
  Subscription,
  SubscriptionLink,
  SubscriptionPlan,
} from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { hourMs } from '../../../kit/duration.ts';
import { DomainError, rateLimited } from '../../../kit/errors.ts';
import { deriveRandomPart, newDerivedId, newId } from '../../../kit/id.ts';
import type { MerchantScope } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalogue.ts';
import { getActiveAccounts } from '../../accounts/receiving-account/get-active-accounts.ts';
import { hashNetworks, type PageVisitor, withCheckoutSlot } from '../../payments/checkout/checkout-slot.ts';
import { getPageTokenId, isPageToken } from '../../payments/checkout/page-tokens.ts';
import type { CustomerDetails } from '../../payments/customer/customer-input.ts';
import { upsertCustomer, upsertPageCustomer } from '../../payments/customer/upsert-customer.ts';
import type { Service } from '../../platform/service.ts';
import { applyFreeStart } from './billing-schedule.ts';
import { getOfferedMethods } from './create-subscription-link.ts';
import { lockSubscription, lockSubscriptionAndCharges } from './lock-subscription.ts';
import { requestPayment, toMethodFields } from './request-payment.ts';
import { requireOffered } from './subscription-charge-terms.ts';
import { isOngoing, isUnstarted } from './subscription-state.ts';
import { initialMoney, toTerms } from './terms.ts';
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
  tokens?: EnrolmentTokens | undefined;
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
  const { merchant, link, tokens, customer: details, visitor, now } = options;
  const plan = await lockPlanShared(tx, link.planId);
  const methods = getOfferedMethods(link.methods, plan.methods);
  requireOffered(methods, options.method);
  const isFree = initialMoney(plan).minor === 0n;
  const scope = { merchantId: merchant.id, mode: link.mode };
  // The customer's row is locked: two enrolments of one customer at once meet here one by one.
  const upsert = visitor ? upsertPageCustomer : upsertCustomer;
  const customerId = await upsert(tx, { ...scope, details, now });
  const existing = await findExistingSubscription(uow, {
    ...scope,
    linkId: link.id,
    customerId,
    tokens,
    isFree,
  });
  if (existing && !isUnstarted(existing)) return { subscription: existing, charge: null };
  if (!existing && visitor) await limitEnrolments(uow, { link, customerId, visitor, now });
  const id = existing?.id ?? (await insertSubscription(uow, { ...options, plan, methods, customerId })).id;
  if (isFree) return { subscription: await startFreeSubscription(uow, id, options), charge: null };
  const locked = await lockSubscriptionAndCharges(tx, { ...scope, id });
  const charge = await requestPayment(uow, locked, options);
  const subscription = await tx.subscription.findUniqueOrThrow({ where: { id } });
  return { subscription, charge };
}

/** The plan, which keeps its terms until the transaction ends. Error: `subscription_plan_inactive`. */
async function lockPlanShared(tx: Tx, id: string): Promise<SubscriptionPlan> {
  await tx.$queryRaw`SELECT 1 FROM subscription_plan WHERE id = ${id} FOR SHARE`;
  const plan = await tx.subscriptionPlan.findUniqueOrThrow({ where: { id } });
  if (plan.status !== 'active') throw new DomainError('subscription_plan_inactive');
  return plan;
}

async function insertSubscription(
  uow: UnitOfWork<Service>,
  options: EnrolOptions & { plan: SubscriptionPlan; methods: string[]; customerId: string },
): Promise<Subscription> {
  const { link, plan, customer: details, customerId, tokens, now, actor } = options;
  const idPart = deriveFormIdPart({ linkId: link.id, customerId, tokens });
  const subscription = await uow.tx.subscription.create({
    data: {
      id: idPart === undefined ? newId('subscription', now) : newDerivedId('subscription', now, idPart),
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
      ...toMethodFields(options.method),
      methods: options.methods,
      notifyPayload: link.notifyPayload,
      redirectUrl: link.redirectUrl,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  await recordSubscriptionEvents(uow, [subscription], { eventType: 'subscription_created', now, actor });
  return subscription;
}

/** Counts against the visitor's network, because the renewals of a free subscription use payment references too. */
async function startFreeSubscription(
  uow: UnitOfWork<Service>,
  id: string,
  { visitor, now, actor }: Pick<EnrolOptions, 'visitor' | 'now' | 'actor'>,
): Promise<Subscription> {
  const locked = await lockSubscription(uow.tx, id);
  const { merchantId, mode } = locked.subscription;
  const state = applyFreeStart(toTerms(locked.plan), now);
  const change = { now, actor, eventType: 'subscription_paid', state } as const;
  const start = async () => (await transitionSubscription(uow, locked, change)).subscription;
  return visitor ? withCheckoutSlot(uow, { merchantId, mode, visitor, now }, start) : start();
}

/** Enrolments of one customer by one link from one network in any hour, none of them paid for. */
const unpaidMax = 5;
const windowMs = hourMs;

/**
 * Limits how many enrolments a network creates for an address that may be another person's. Other networks are not
 * limited by it: an attacker who knows a customer's email must not keep the customer from enrolling. The customer's row
 * is locked. Error: `rate_limited`.
 */
async function limitEnrolments(
  uow: UnitOfWork<Service>,
  options: {
    link: Pick<SubscriptionLink, 'id' | 'merchantId' | 'mode'>;
    customerId: string;
    visitor: PageVisitor;
    now: MerchantTime;
  },
): Promise<void> {
  const { link, customerId, visitor, now } = options;
  const [{ hashes }] = hashNetworks(uow.secrets, visitor, link);
  const [oldest] = await uow.tx.$queryRaw<{ createdAt: Date }[]>`
    SELECT s.created_at AS "createdAt" FROM subscription s
    WHERE s.link_id = ${link.id} AND s.customer_id = ${customerId} AND s.num_payments_complete = 0
      AND s.created_at > ${new Date(now.getTime() - windowMs)}
      AND EXISTS (
        SELECT 1 FROM checkout_slot WHERE network_hash = ANY(${hashes}::text[]) AND (
          object_id = s.id OR object_id IN (SELECT id FROM charge WHERE subscription_id = s.id)))
    ORDER BY s.created_at DESC OFFSET ${unpaidMax - 1} LIMIT 1`;
  if (!oldest) return;
  const waitMs = oldest.createdAt.getTime() + windowMs - now.getTime();
  throw rateLimited(
    `At most ${unpaidMax} unpaid enrolments per hour can be created for one customer from one network`,
    Math.ceil(waitMs / 1_000),
  );
}

/** What shows that who enrols is who enrolled before. An address does not: anybody may know it. */
type EnrolmentTokens = {
  /** Of the subscription's page, as the browser that enrolled keeps it. */
  pageToken?: string | undefined;
  /** Of the form, another each time it is shown: pressed twice, it comes twice. */
  formToken?: string | undefined;
};

type EnrolmentKey = { linkId: string; customerId: string; tokens: EnrolmentTokens | undefined };

/**
 * The random part of the id of a subscription that a form makes: by it the form finds its subscription when it comes
 * again. Undefined without a token that nobody guesses.
 */
function deriveFormIdPart({ linkId, customerId, tokens }: EnrolmentKey): string | undefined {
  const formToken = tokens?.formToken ?? '';
  return formToken.length < formTokenMin
    ? undefined
    : deriveRandomPart(`${formToken} ${linkId} ${customerId}`);
}

/** Characters of `newToken`. */
const formTokenMin = 43;

/**
 * The customer's own by the same link, shown to be theirs: that of the form, however it stands, else the one that the
 * browser keeps, as long as it is not paid yet or, where nothing is paid to begin with, goes on. The customer's row is
 * locked.
 */
async function findExistingSubscription(
  uow: UnitOfWork<Service>,
  key: MerchantScope & EnrolmentKey & { isFree: boolean },
): Promise<Subscription | null> {
  const { merchantId, mode, linkId, customerId, isFree } = key;
  const pageToken = key.tokens?.pageToken ?? '';
  const idPart = deriveFormIdPart(key);
  const candidates = await uow.tx.subscription.findMany({
    where: {
      ...{ merchantId, mode, linkId, customerId },
      OR: [
        { id: getPageTokenId(pageToken) },
        ...(idPart === undefined ? [] : [{ id: { endsWith: idPart } }]),
      ],
    },
  });
  const formSubscription = idPart !== undefined && candidates.find(({ id }) => id.endsWith(idPart));
  if (formSubscription) return formSubscription;
  const { secrets } = uow;
  const browserSubscription = candidates.find((candidate) =>
    isPageToken(secrets, 'subscription', candidate, pageToken),
  );
  return browserSubscription && (isFree ? isOngoing(browserSubscription) : isUnstarted(browserSubscription))
    ? browserSubscription
    : null;
}
