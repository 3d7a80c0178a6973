import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge, CheckoutSession } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { cancelCharge } from '../../domain/payments/charge/cancel-charge.ts';
import { chargeCheckoutAddress } from '../../domain/payments/checkout/charge-checkout-address.ts';
import { clientToken } from '../../domain/payments/checkout/page-tokens.ts';
import { chargeCheckoutLink } from '../../domain/payments/checkout-link/charge-checkout-link.ts';
import type { CustomerDetails } from '../../domain/payments/customer/customer-input.ts';
import { cancelSession } from '../../domain/payments/session/cancel-session.ts';
import { chargeSession } from '../../domain/payments/session/charge-session.ts';
import { claimSession } from '../../domain/payments/session/claim-session.ts';
import { DomainError, type ErrorCode } from '../../kit/errors.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { pageNow } from '../page-now.ts';
import { type CheckoutQuery, chargeAddress, checkoutAddress } from './address.ts';
import { browserTokenOrNew, rememberMaker } from './browser.ts';
import { chargeContent } from './page-of.ts';
import type { Subject } from './subject.ts';

/** One POST of a page: what the customer sees of it, and where its cookies go. */
export type Act = {
  context: Context;
  request: FastifyRequest;
  reply: FastifyReply;
  query: CheckoutQuery;
  subject: Subject;
};

/** Refusals that only say that the session or charge has moved on: the page shows how it stands. */
const overtaken = new Set<ErrorCode>([
  'session_expired',
  'session_cancelled',
  'session_already_used',
  'session_not_claimed',
  'charge_not_pending',
]);

/** Does the work of an act; nothing when the state had moved on meanwhile. */
async function unlessOvertaken(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DomainError && overtaken.has(error.code))) throw error;
  }
}

/** Claims the session for this browser, which keeps its token where that holds it. Errors: those of claimSession. */
async function hold(
  { context, subject, request, reply }: Act,
  { id }: CheckoutSession,
  options: { takeOver: boolean },
): Promise<{ isHeld: boolean; browserToken: string }> {
  const { service } = context;
  const { token: browserToken, keep } = browserTokenOrNew(service, request, reply);
  const now = pageNow(context, subject);
  const { isHeld } = await claimSession(service, { id, browserToken, ...options, now });
  if (isHeld) keep();
  return { isHeld, browserToken };
}

/** Takes the session for this browser. `takeOver`: also from another one. Gives where to go on. */
export async function claim(act: Act, options: { takeOver: boolean }): Promise<string> {
  const { subject, query } = act;
  if (subject.kind === 'session') {
    await unlessOvertaken(() => hold(act, subject.session, options));
  }
  return checkoutAddress(query);
}

/** Creates the charge with the customer's choice; returns where to go on. Errors: those of creating a charge. */
export async function pay(
  act: Act,
  choice: { method: MethodCode; customer: CustomerDetails },
): Promise<string> {
  const { context, request, subject, query } = act;
  const { service } = context;
  const now = pageNow(context, subject);
  const { merchant } = subject;
  const terms = { merchant, ...choice, now };
  const visitor = { address: request.ip };
  switch (subject.kind) {
    case 'session': {
      const { session } = subject;
      await unlessOvertaken(async () => {
        // Without script this is the page's first POST, so that the session is claimed here.
        const { browserToken } = await hold(act, session, { takeOver: false });
        await chargeSession(service, { ...terms, session, browserToken });
      });
      return checkoutAddress(query);
    }
    case 'link':
      return toCharge(act, await chargeCheckoutLink(service, { ...terms, visitor, link: subject.link }));
    case 'address':
      return toCharge(
        act,
        await chargeCheckoutAddress(service, { ...terms, visitor, address: subject.address }),
      );
    case 'charge':
      return checkoutAddress(query);
  }
}

function toCharge(act: Act, charge: Charge): string {
  const { service } = act.context;
  rememberMaker(service, act.reply, charge);
  return chargeAddress(clientToken(service.secrets, charge), act.query);
}

/** Cancels the charge, or the session that has none yet. Gives where to go on. */
export async function cancel(act: Act): Promise<string> {
  const { context, subject, query } = act;
  const { service } = context;
  const now = pageNow(context, subject);
  const content = chargeContent(subject);
  if (content?.canCancel) {
    const { id, merchantId, mode } = content.charge;
    const by = { by: 'customer', actor: 'customer' } as const;
    await unlessOvertaken(() => cancelCharge(service, { id, merchantId, mode, ...by, now }));
  } else if (!content && subject.kind === 'session') {
    const { session } = subject;
    await unlessOvertaken(async () => {
      const { isHeld } = await hold(act, session, { takeOver: false });
      if (isHeld) await cancelSession(service, { id: session.id, actor: 'customer', now });
    });
  }
  return checkoutAddress(query);
}
