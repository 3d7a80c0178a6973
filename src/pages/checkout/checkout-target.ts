import type {
  CheckoutLink,
  CheckoutSession,
  Merchant,
  Mode,
  SessionStatus,
} from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import {
  type CheckoutCharge,
  getCheckoutCharge,
} from '../../domain/payments/checkout/get-checkout-charge.ts';
import {
  type CheckoutUrlTerms,
  parseCheckoutUrl,
} from '../../domain/payments/checkout/parse-checkout-url.ts';
import { getLinkMoney } from '../../domain/payments/checkout-link/link-amount.ts';
import { openCheckoutLink } from '../../domain/payments/checkout-link/open-checkout-link.ts';
import { isSessionClaimedBy } from '../../domain/payments/session/claim-session.ts';
import { openSession } from '../../domain/payments/session/open-session.ts';
import { getSessionStatusAt } from '../../domain/payments/session/session-state.ts';
import { requireEnabledMerchant } from '../../domain/platform/merchant/require-enabled-merchant.ts';
import { DomainError } from '../../kit/errors.ts';
import { type Money, parseMoney } from '../../kit/money.ts';
import { pageNow } from '../page-now.ts';
import type { CheckoutQuery } from './checkout-url.ts';

/** The object that a checkout URL opens. */
export type CheckoutTarget = { merchant: Merchant; mode: Mode } & (
  | {
      kind: 'session';
      session: CheckoutSession;
      status: SessionStatus;
      charge: CheckoutCharge | null;
      /** Whether this browser has claimed the session, or every browser may change its charge. */
      isClaimedHere: boolean;
    }
  | {
      kind: 'link';
      link: CheckoutLink;
      /** The amount of the link or of the URL; undefined if the customer has to choose a valid one. */
      money: Money | undefined;
    }
  | { kind: 'url'; urlTerms: CheckoutUrlTerms }
  | { kind: 'charge'; charge: CheckoutCharge; isCreator: boolean }
);

/** The cookies of the requesting browser: its token, and the signatures of the charges that it created. */
type BrowserIdentity = {
  token: string | undefined;
  isCreator: (charge: { id: string; mode: Mode }) => boolean;
};

/** Returns the object of a checkout URL, without changing it, or `undefined` if the URL names none. */
export async function openCheckoutTarget(
  context: Context,
  query: CheckoutQuery,
  browser: BrowserIdentity,
): Promise<CheckoutTarget | undefined> {
  const { service, clock } = context;
  if (query.charge !== undefined) {
    const charge = await getCheckoutCharge(service, { clientToken: query.charge });
    const { merchant, mode } = charge;
    return { kind: 'charge', charge, merchant, mode, isCreator: browser.isCreator(charge) };
  }
  if (query.sessionId !== undefined) return openSessionTarget(context, query.sessionId, browser);
  if (query.link !== undefined) {
    const { link, merchant } = await openCheckoutLink(service, { id: query.link, systemNow: clock.now() });
    return { kind: 'link', link, money: findLinkMoney(link, query), merchant, mode: link.mode };
  }
  if (query.apiKey === undefined) return undefined;
  const urlTerms = await parseCheckoutUrl(service, query, clock.now());
  return { kind: 'url', urlTerms, merchant: urlTerms.merchant, mode: urlTerms.mode };
}

async function openSessionTarget(
  context: Context,
  id: string,
  browser: BrowserIdentity,
): Promise<CheckoutTarget> {
  const { session, merchant, charge } = await openSession(context.service, { id });
  if (!charge) requireEnabledMerchant(merchant);
  const status = getSessionStatusAt(session, pageNow(context, { merchant, mode: session.mode }));
  // The charge of a sale at the counter has no details to protect, and the customer may choose another method for it.
  const isAnonymous = session.sellerId !== null && charge !== null && !charge.email && !charge.phone;
  const isClaimedHere = isAnonymous || isSessionClaimedBy(session, browser.token);
  return { kind: 'session', session, status, charge, merchant, mode: session.mode, isClaimedHere };
}

function findLinkMoney(link: CheckoutLink, { amount }: CheckoutQuery): Money | undefined {
  try {
    const isChosen = link.amount === null && amount !== undefined;
    return getLinkMoney(link, isChosen ? parseMoney(amount, link.currency, '/amount') : undefined);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
