import type { Context } from '../../context.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import type { Order } from '../../domain/platform/order.ts';
import type { Page } from '../layout.ts';
import { type Asked, type ChooseInput, offerOf } from '../parts/offer.ts';
import { pageOfError } from '../refused.ts';
import { checkoutAddress } from './address.ts';
import { choosePage } from './choose-page.ts';
import { cancelledPage, elsewherePage, expiredPage, paidPage, sessionExpiredPage } from './outcome-pages.ts';
import { type ChargeContent, payPage } from './pay-page.ts';
import { type ChargeView, chargeView, liveTopic, pageState } from './state.ts';
import type { Subject } from './subject.ts';
import { subscriptionWay } from './subscription-way.ts';
import type { View } from './view.ts';

/**
 * The page of what the address opens, in its present state; a refusal when the amount can be paid by no method. `input`: a
 * choice that was refused.
 */
export async function pageOf(
  context: Context,
  view: View,
  subject: Subject,
  input?: ChooseInput,
): Promise<Page> {
  let page: Page;
  try {
    page = await contentOf(context, view, subject, input);
  } catch (error) {
    const refused = pageOfError(view.reader, error, { ...subject, redirectUrl: redirectUrlOf(subject) });
    if (!refused) throw error;
    return refused;
  }
  return {
    ...page,
    now: view.now,
    state: pageState(subject, view.now),
    ...(liveTopic(subject) !== undefined && { live: checkoutAddress(view.query, '/live') }),
    claims: subject.kind === 'session' && subject.status === 'created',
  };
}

const chargePages: Record<ChargeView, (view: View, content: ChargeContent) => Page> = {
  pending: payPage,
  paid: paidPage,
  expired: expiredPage,
  cancelled: (view, { charge, way }) => cancelledPage(view, { ...charge, charge, way }),
};

async function contentOf(
  context: Context,
  view: View,
  subject: Subject,
  input: ChooseInput | undefined,
): Promise<Page> {
  const content = chargeContent(subject);
  if (content) {
    const way = subscriptionWay(context.service, content);
    return chargePages[chargeView(content.charge, view.now)](view, { ...content, way });
  }
  if (subject.kind === 'session') {
    const { merchant, mode, session, status, isHeld } = subject;
    const shown = { merchant, mode, redirectUrl: session.redirectUrl };
    if (status === 'expired') return sessionExpiredPage(view, shown);
    if (status === 'cancelled') return cancelledPage(view, shown);
    if (status === 'initiated' && !isHeld) return elsewherePage(view, shown);
  }
  return choosePage(view, await offerOf(context, askedOf(subject)), input);
}

export function redirectUrlOf(subject: Subject): string | null {
  if (subject.kind === 'session') return subject.session.redirectUrl;
  return subject.kind === 'link' ? subject.link.redirectUrl : null;
}

/** The charge of the address, if there is one yet, and what this browser may see and do. */
export function chargeContent(subject: Subject): ChargeContent | undefined {
  if (subject.kind === 'charge') {
    return { charge: subject.charge, isOwn: subject.isMaker, canCancel: true };
  }
  if (subject.kind !== 'session' || !subject.charge) return undefined;
  return { charge: subject.charge, isOwn: subject.isHeld, canCancel: subject.isHeld };
}

/**
 * The details with which the form is filled in: those of a session, and of a link limited to one use. Any other link may
 * be opened by many people, who must not see, or pay under, the details of one of them.
 */
export function prefillOf(subject: Subject): CustomerDetails | null {
  if (subject.kind === 'session') return subject.session.customer as CustomerDetails | null;
  const isForOne = subject.kind === 'link' && subject.link.usesLimit === 1;
  return isForOne ? (subject.link.customer as CustomerDetails | null) : null;
}

function askedOf(subject: Subject): Asked {
  const { merchant, mode } = subject;
  const prefill = prefillOf(subject);
  switch (subject.kind) {
    case 'session': {
      const { amount, currency, orders, methods } = subject.session;
      const money = { minor: amount, currency };
      return { merchant, mode, money, orders: orders as Order[], prefill, methods, canCancel: true };
    }
    case 'link': {
      const { amount, currency, orders, paymentMethods } = subject.link;
      const methods = (paymentMethods as string[] | null) ?? [];
      const money = { minor: amount, currency };
      return { merchant, mode, money, orders: orders as Order[], prefill, methods };
    }
    case 'address':
      return { merchant, mode, money: subject.address.money, methods: [] };
    case 'charge':
      throw new Error('a charge has its method already');
  }
}
