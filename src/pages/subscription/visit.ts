import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge, Merchant, Mode } from '../../../prisma/client/client.ts';
import type { Context } from '../../context.ts';
import { clientToken } from '../../domain/checkout/page-tokens.ts';
import { quoteMethods } from '../../domain/checkout/quote-methods.ts';
import type { CustomerDetails } from '../../domain/customer/customer-input.ts';
import { merchantNow } from '../../domain/test-clock/merchant-now.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Money } from '../../kit/money.ts';
import { chargeAddress } from '../checkout/address.ts';
import { rememberMaker } from '../checkout/browser.ts';
import type { Offer } from '../checkout/offer.ts';

export type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

type Owned = { merchant: Merchant; mode: Mode };

/** The merchant's time, which for a sandbox may be ahead. */
export function pageNow({ clock }: Context, { merchant, mode }: Owned): Date {
  return merchantNow(clock.now(), merchant, mode);
}

/** The methods that can take an amount. Errors: those of quoteMethods, when none can. */
export async function offerOf(
  context: Context,
  owned: Owned,
  asked: { money: Money; methods: readonly string[]; prefill?: CustomerDetails | null },
): Promise<Offer> {
  const { money, methods, prefill = null } = asked;
  const quotes = await quoteMethods(context.service, {
    ...owned,
    money,
    methods,
    now: pageNow(context, owned),
  });
  return { ...owned, money, orders: [], prefill, quotes, canCancel: false };
}

/** The same, where a page has more to show than what can be paid. */
export async function offerOrNone(...asked: Parameters<typeof offerOf>): Promise<Offer | undefined> {
  try {
    return await offerOf(...asked);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Sends the customer on to the page of the charge. */
export function goToCharge(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { charge, isOwn }: { charge: Charge; isOwn: boolean },
): FastifyReply {
  const { secrets } = context.service;
  if (isOwn) rememberMaker(context.service, reply, charge);
  const { lang } = request.query as { lang?: string };
  const query = { ...(charge.mode === 'sandbox' && { isSandbox: 'true' }), ...(lang && { lang }) };
  return reply.redirect(chargeAddress(clientToken(secrets, charge.id), query), 303);
}

/** The path of an address of ours: links on a page stay on the origin it was opened at. */
export function pathOf(address: string): string {
  const url = new URL(address);
  return url.pathname + url.search;
}
