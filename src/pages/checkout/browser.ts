import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { creatorToken, isCreatorToken } from '../../domain/checkout/page-tokens.ts';
import type { Service } from '../../domain/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { newToken } from '../../kit/token.ts';

/**
 * What the customer's browser proves by its cookies: the random token with which it claims sessions, and a signature for
 * each charge it made otherwise. Cookies are set in answers to POST alone. Over https no other host and no page over http
 * can set the token, so nobody has a browser claim a session in their name.
 */
const tokenCookie = (service: Service) =>
  isSecure(service) ? '__Host-causeway_browser' : 'causeway_browser';
const madePrefix = 'causeway_made_';
const madeCookie = (chargeId: string) => `${madePrefix}${chargeId}`;

/** The longest a charge's page is of use. */
const tokenSeconds = (30 * dayMs) / 1000;
const madeSeconds = (7 * dayMs) / 1000;
/** Of a shop's own tablet, which many customers pay at: servers take 8 KiB of headers, or 16. */
const madeMax = 20;

/** The token of this browser, if it has one. */
export function browserToken(service: Service, request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie(service)];
}

/**
 * The token of this browser, or a new one. `keep` gives it to the browser: only once it holds something, since of two
 * requests that both bring none, one alone gets what they ask for.
 */
export function browserTokenOrNew(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): { token: string; keep: () => void } {
  const token = browserToken(service, request) ?? newToken();
  const path = isSecure(service) ? '/' : checkoutPath;
  const rules = { ...cookieRules(service), path, maxAge: tokenSeconds };
  return { token, keep: () => void reply.setCookie(tokenCookie(service), token, rules) };
}

type ChargeInMode = { id: string; mode: Mode };

/** Lets this browser see the customer's details of the charge it created. */
export function rememberMaker(service: Service, reply: FastifyReply, charge: ChargeInMode): void {
  const rules = { ...cookieRules(service), path: checkoutPath, maxAge: madeSeconds };
  reply.setCookie(madeCookie(charge.id), creatorToken(service.secrets, charge), rules);
}

export function isMaker(service: Service, request: FastifyRequest, charge: ChargeInMode): boolean {
  return isCreatorToken(service.secrets, charge, request.cookies[madeCookie(charge.id)]);
}

/** The charges of a mode that this browser created, as its cookies prove; the newest first. */
export function madeCharges(service: Service, request: FastifyRequest, mode: Mode): string[] {
  const ids = madeIds(request);
  return ids.filter((id) => isMaker(service, request, { id, mode }));
}

/** Takes the oldest of too many from the browser; a few at a time, since an answer's headers have bounds too. */
export function forgetOldest(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const old = madeIds(request).slice(madeMax, 2 * madeMax);
  for (const id of old) reply.clearCookie(madeCookie(id), { ...cookieRules(service), path: checkoutPath });
}

const madeForm = new RegExp(`^${madePrefix}(\\w+)$`);

/** Ids begin with the time. */
function madeIds({ cookies }: FastifyRequest): string[] {
  const ids = Object.keys(cookies).flatMap((name) => madeForm.exec(name)?.[1] ?? []);
  return ids.sort().reverse();
}

const checkoutPath = '/checkout';

export function cookieRules(service: Service) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(service) } as const;
}
