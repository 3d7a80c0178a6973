import type { Context } from '../../context.ts';
import {
  filterAvailableMethods,
  findAvailableMethods,
} from '../../domain/accounts/receiving-account/find-available-methods.ts';
import type { CheckoutCharge } from '../../domain/payments/checkout/get-checkout-charge.ts';
import { getAllowedMethods, isReplaceable } from '../../domain/payments/checkout/replace-charge.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import type { OrderLine } from '../../domain/platform/order-line.ts';
import { canSendEmail, type Service } from '../../domain/platform/service.ts';
import { DomainError } from '../../kit/errors.ts';
import { toErrorPage } from '../error-page.ts';
import type { PageContent } from '../layout.ts';
import { buildOffer, type MethodFormState, type OfferInput } from '../parts/offer.ts';
import { amountPage, readAmount } from './amount-page.ts';
import { changePage } from './change-page.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { toCheckoutUrl } from './checkout-url.ts';
import { choosePage } from './choose-page.ts';
import {
  cancelledPage,
  expiredPage,
  otherBrowserPage,
  paidPage,
  sessionExpiredPage,
} from './outcome-pages.ts';
import { type ChargeContent, payPage } from './pay-page.ts';
import { type ChargeDisplayStatus, getDisplayStatus, getLiveTopic, getStateKey } from './state.ts';
import { getSubscriptionPageLink } from './subscription-page-link.ts';
import type { CheckoutView } from './view.ts';

/** `formState` is the content of a rejected form, which is shown again with its errors. */
export async function buildCheckoutPage(
  context: Context,
  view: CheckoutView,
  target: CheckoutTarget,
  formState?: MethodFormState,
): Promise<PageContent> {
  let page: PageContent;
  try {
    page = await buildContent(context, view, target, formState);
  } catch (error) {
    const errorPage = toErrorPage(view.i18n, error, { ...target, redirectUrl: getRedirectUrl(target) });
    if (!errorPage) throw error;
    return errorPage;
  }
  return {
    ...page,
    now: view.now,
    stateKey: getStateKey(target, view.now),
    ...(getLiveTopic(target) !== undefined && { eventsUrl: toCheckoutUrl(view.query, '/live') }),
    claimsSession: target.kind === 'session' && target.status === 'created',
  };
}

const chargePages: Record<ChargeDisplayStatus, (view: CheckoutView, content: ChargeContent) => PageContent> =
  {
    pending: payPage,
    paid: paidPage,
    expired: expiredPage,
    cancelled: (view, content) => cancelledPage(view, { ...content.charge, content }),
  };

async function buildContent(
  context: Context,
  view: CheckoutView,
  target: CheckoutTarget,
  formState: MethodFormState | undefined,
): Promise<PageContent> {
  const content = getChargeContent(target);
  if (content) return buildChargeContent(context, view, content, formState);
  if (target.kind === 'session') {
    const { merchant, mode, session, status, isClaimedHere } = target;
    const returnTarget = { merchant, mode, redirectUrl: session.cancelUrl ?? session.redirectUrl };
    if (status === 'expired') return sessionExpiredPage(view, returnTarget);
    if (status === 'cancelled') return cancelledPage(view, returnTarget);
    if (status === 'initiated' && !isClaimedHere) return otherBrowserPage(view, returnTarget);
  }
  if (target.kind === 'link' && target.link.amount === null)
    return buildLinkContent(context, view, target, formState);
  return choosePage(view, await buildOffer(context, toOfferInput(target)), formState);
}

/** Asks for the amount, until it is valid and one of the methods accepts it. */
async function buildLinkContent(
  context: Context,
  view: CheckoutView,
  target: Extract<CheckoutTarget, { kind: 'link' }>,
  formState: MethodFormState | undefined,
): Promise<PageContent> {
  const { amount: text } = view.query;
  if (text === undefined) return amountPage(view, target);
  if (!target.money) {
    const result = readAmount(view.i18n, target.link, text);
    return amountPage(view, target, { text, ...('error' in result && { error: result.error }) });
  }
  try {
    return choosePage(view, await buildOffer(context, toOfferInput(target)), formState);
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'amount_out_of_range')) throw error;
    return amountPage(view, target, { text, error: view.i18n.strings.errors.noPaymentMethod.text });
  }
}

async function buildChargeContent(
  context: Context,
  view: CheckoutView,
  content: ChargeContent,
  formState: MethodFormState | undefined,
): Promise<PageContent> {
  const { service } = context;
  const { charge } = content;
  const canReplace =
    content.canCancel &&
    isReplaceable(charge, view.now) &&
    (await hasReplacementMethod(service, charge, view.now));
  if (canReplace && view.query.view === 'methods') {
    const { merchant, mode, merchantAmount: minor, merchantCurrency: currency } = charge;
    const methods = getAllowedMethods(charge);
    const offer = await buildOffer(context, { merchant, mode, money: { minor, currency }, methods });
    return changePage(view, { charge, offer }, formState);
  }
  const pageLink = getSubscriptionPageLink(service, content);
  return chargePages[getDisplayStatus(charge, view.now)](view, {
    ...content,
    canReplace,
    canSendEmail: canSendEmail(service),
    pageLink,
  });
}

/** Returns whether the customer can choose another method or, after the expiry time, any method. */
async function hasReplacementMethod(service: Service, charge: CheckoutCharge, now: Date): Promise<boolean> {
  const available = await findAvailableMethods(service, charge);
  const count = filterAvailableMethods(available, getAllowedMethods(charge)).length;
  return count > (getDisplayStatus(charge, now) === 'pending' ? 1 : 0);
}

export function getRedirectUrl(target: CheckoutTarget): string | null {
  if (target.kind === 'session') return target.session.redirectUrl;
  return target.kind === 'link' ? target.link.redirectUrl : null;
}

/** Returns the target's charge, if there is one, and the permissions of this browser. */
export function getChargeContent(target: CheckoutTarget): ChargeContent | undefined {
  if (target.kind === 'charge') {
    return { charge: target.charge, canViewDetails: target.isCreator, canCancel: true, canReplace: false };
  }
  if (target.kind !== 'session' || !target.charge) return undefined;
  const { charge, isClaimedHere } = target;
  return { charge, canViewDetails: isClaimedHere, canCancel: isClaimedHere, canReplace: false };
}

/**
 * Returns the customer details that prefill the form. A link for more than one use has none, because several
 * people may open it, and they must not see, or pay under, each other's details.
 */
export function getPrefill(target: CheckoutTarget): CustomerDetails | null {
  if (target.kind === 'session') return target.session.customer as CustomerDetails | null;
  const isSingleUse = target.kind === 'link' && target.link.usageLimit === 1;
  return isSingleUse ? (target.link.customer as CustomerDetails | null) : null;
}

function toOfferInput(target: CheckoutTarget): OfferInput {
  const { merchant, mode } = target;
  const prefill = getPrefill(target);
  switch (target.kind) {
    case 'session': {
      const { amount, currency, orders, methods } = target.session;
      const money = { minor: amount, currency };
      return { merchant, mode, money, orders: orders as OrderLine[], prefill, methods, canCancel: true };
    }
    case 'link': {
      const { link, money } = target;
      if (!money) throw new Error('the customer has not chosen the amount');
      const methods = (link.paymentMethods as string[] | null) ?? [];
      const orders = link.orders as OrderLine[];
      return { merchant, mode, money, orders, prefill, methods, canChangeAmount: link.amount === null };
    }
    case 'url':
      return { merchant, mode, money: target.urlTerms.money, methods: [] };
    case 'charge':
      throw new Error('the charge already has a payment method');
  }
}
