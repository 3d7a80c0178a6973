import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge, CheckoutSession } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { type Simulation, simulateTransfer } from '../../domain/money-in/transfer/simulate-transfer.ts';
import { cancelCharge } from '../../domain/payments/charge/cancel-charge.ts';
import { chargeCheckoutUrl } from '../../domain/payments/checkout/charge-checkout-url.ts';
import { replaceCharge } from '../../domain/payments/checkout/replace-charge.ts';
import { chargeCheckoutLink } from '../../domain/payments/checkout-link/charge-checkout-link.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { createClientToken } from '../../domain/payments/customer-page/page-tokens.ts';
import { cancelSession } from '../../domain/payments/session/cancel-session.ts';
import { chargeSession } from '../../domain/payments/session/charge-session.ts';
import { claimSession } from '../../domain/payments/session/claim-session.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import type { MethodCode } from '../../method/catalog.ts';
import { pageNow } from '../page-now.ts';
import { getI18n } from '../send-page.ts';
import { getOrCreateBrowserToken, rememberCreator } from './browser.ts';
import { getChargeContent } from './build-checkout-page.ts';
import type { CheckoutTarget } from './checkout-target.ts';
import { type CheckoutQuery, toChargeUrl, toCheckoutUrl, toViewUrl } from './checkout-url.ts';
import { getDisplayStatus } from './state.ts';

/** A POST to a checkout page, with the target that its URL opens. */
export type CheckoutAction = {
  context: Context;
  request: FastifyRequest;
  reply: FastifyReply;
  query: CheckoutQuery;
  target: CheckoutTarget;
};

/**
 * Errors that mean that the session or charge has changed since the page was loaded. The customer then sees the
 * current page instead of an error.
 */
const staleStateErrors = new Set<ErrorCode>([
  'session_expired',
  'session_cancelled',
  'session_already_used',
  'session_not_claimed',
  'charge_not_pending',
]);

/** Ignores the errors of an outdated page, because the redirect shows the current state. */
async function ignoreStaleState(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError && staleStateErrors.has(error.code))) throw error;
  }
}

async function claimForBrowser(
  { context, target, request, reply }: CheckoutAction,
  { id }: CheckoutSession,
  options: { canTakeOver: boolean },
): Promise<{ isClaimed: boolean; browserToken: string }> {
  const { service } = context;
  const { token: browserToken, saveToken } = getOrCreateBrowserToken(service, request, reply);
  const now = pageNow(context, target);
  const { code: language } = getI18n(request);
  const { isClaimed } = await claimSession(service, { id, browserToken, language, ...options, now });
  if (isClaimed) saveToken();
  return { isClaimed, browserToken };
}

/** `canTakeOver` claims the session even if another browser has claimed it. Returns the redirect URL. */
export async function claim(action: CheckoutAction, options: { canTakeOver: boolean }): Promise<string> {
  const { target, query } = action;
  if (target.kind === 'session') {
    await ignoreStaleState(() => claimForBrowser(action, target.session, options));
  }
  return toCheckoutUrl(query);
}

/** Creates the charge and returns the redirect URL. */
export async function pay(
  action: CheckoutAction,
  choice: { method: MethodCode; customer: CustomerDetails },
): Promise<string> {
  const { context, request, target, query } = action;
  const { service } = context;
  const now = pageNow(context, target);
  const { merchant } = target;
  const input = { merchant, ...choice, language: getI18n(request).code, now };
  const visitor = { ipAddress: request.ip };
  switch (target.kind) {
    case 'session': {
      const { session } = target;
      await ignoreStaleState(async () => {
        // Without scripts, this is the first POST of the page, so the session is not claimed yet.
        const { browserToken } = await claimForBrowser(action, session, { canTakeOver: false });
        await chargeSession(service, { ...input, session, browserToken });
      });
      return toCheckoutUrl(query);
    }
    case 'link':
      return getChargeRedirect(
        action,
        await chargeCheckoutLink(service, {
          ...input,
          visitor,
          link: target.link,
          chosenMoney: target.money,
        }),
      );
    case 'url':
      return getChargeRedirect(
        action,
        await chargeCheckoutUrl(service, { ...input, visitor, urlTerms: target.urlTerms }),
      );
    case 'charge':
      return toCheckoutUrl(query);
  }
}

/** Replaces the charge by one with another method and returns the redirect URL. */
export async function change(action: CheckoutAction, method: MethodCode): Promise<string> {
  const { context, request, reply, target, query } = action;
  const { service } = context;
  const content = getChargeContent(target);
  if (!content?.canCancel) return toViewUrl(query);
  const { charge, canViewDetails } = content;
  const now = pageNow(context, target);
  if (charge.method === method && getDisplayStatus(charge, now) === 'pending') return toViewUrl(query);
  const options = { merchant: target.merchant, charge, method, now };
  let url = toViewUrl(query);
  await ignoreStaleState(async () => {
    const replacement = await replaceCharge(service, { ...options, visitor: { ipAddress: request.ip } });
    if (target.kind === 'session') return;
    if (canViewDetails) rememberCreator(service, reply, replacement);
    url = toChargeUrl(createClientToken(service.secrets, replacement), query);
  });
  return url;
}

function getChargeRedirect(action: CheckoutAction, charge: Charge): string {
  const { service } = action.context;
  rememberCreator(service, action.reply, charge);
  return toChargeUrl(createClientToken(service.secrets, charge), action.query);
}

/** Cancels the charge, or the session if it has no charge yet. Returns the redirect URL. */
export async function cancel(action: CheckoutAction): Promise<string> {
  const { context, target, query } = action;
  const { service } = context;
  const now = pageNow(context, target);
  const content = getChargeContent(target);
  if (content?.canCancel) {
    const { id, merchantId, mode } = content.charge;
    await ignoreStaleState(() =>
      cancelCharge(service, { id, merchantId, mode, by: 'customer', actor: 'customer', now }),
    );
  } else if (!content && target.kind === 'session') {
    const { session } = target;
    await ignoreStaleState(async () => {
      const { isClaimed } = await claimForBrowser(action, session, { canTakeOver: false });
      if (isClaimed) await cancelSession(service, { id: session.id, actor: 'customer', now });
    });
  }
  return toCheckoutUrl(query);
}

/** Simulates a transfer for a pending sandbox charge, and returns the redirect URL. */
export async function simulate(action: CheckoutAction, kind: Simulation): Promise<string> {
  const { context, target, query } = action;
  const content = getChargeContent(target);
  if (content?.canCancel && content.charge.mode === 'sandbox' && content.charge.status === 'pending') {
    const { id: chargeId, mode } = content.charge;
    await simulateTransfer(context.service, {
      merchant: target.merchant,
      mode,
      input: { chargeId, kind },
      actor: 'customer',
      now: pageNow(context, target),
      systemNow: context.clock.now(),
    });
  }
  return toCheckoutUrl(query);
}
