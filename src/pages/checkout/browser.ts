import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { creatorToken, isCreatorToken } from '../../domain/payments/checkout/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { newToken } from '../../kit/token.ts';

/**
 * What the customer's browser proves by its cookies: the random token with which it claims sessions, and a signature for
 * each charge it created otherwise. Cookies are set in answers to POST alone. Over https no other host and no page over
 * http can set them, so an attacker cannot have a browser claim a session, or show a charge, in their name.
 */
const hostPrefix = (service: Service) => (isSecure(service) ? '__Host-' : '');
const tokenCookie = (service: Service) => `${hostPrefix(service)}causeway_browser`;
const madePrefix = (service: Service) => `${hostPrefix(service)}causeway_made_`;
const madeCookie = (service: Service, chargeId: string) => `${madePrefix(service)}${chargeId}`;

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
  const rules = { ...checkoutRules(service), maxAge: tokenSeconds };
  return { token, keep: () => void reply.setCookie(tokenCookie(service), token, rules) };
}

type ChargeInMode = { id: string; mode: Mode };

/** Lets this browser see the customer's details of the charge it created. */
export function rememberMaker(service: Service, reply: FastifyReply, charge: ChargeInMode): void {
  const rules = { ...checkoutRules(service), maxAge: madeSeconds };
  reply.setCookie(madeCookie(service, charge.id), creatorToken(service.secrets, charge), rules);
}

export function isMaker(service: Service, request: FastifyRequest, charge: ChargeInMode): boolean {
  return isCreatorToken(service.secrets, charge, request.cookies[madeCookie(service, charge.id)]);
}

/** The charges of a mode that this browser created, as its cookies prove; the newest first. */
export function madeCharges(service: Service, request: FastifyRequest, mode: Mode): string[] {
  const ids = madeIds(service, request);
  return ids.filter((id) => isMaker(service, request, { id, mode }));
}

/** Takes the oldest of too many from the browser; a few at a time, since an answer's headers have bounds too. */
export function forgetOldest(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const old = madeIds(service, request).slice(madeMax, 2 * madeMax);
  for (const id of old) reply.clearCookie(madeCookie(service, id), checkoutRules(service));
}

/** Ids begin with the time. */
function madeIds(service: Service, { cookies }: FastifyRequest): string[] {
  const prefix = madePrefix(service);
  const names = Object.keys(cookies).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => name.slice(prefix.length))
    .filter((id) => /^\w+$/.test(id))
    .sort()
    .reverse();
}

/** Browsers keep a cookie with the prefix `__Host-` only for the whole host. */
function checkoutRules(service: Service) {
  return { ...cookieRules(service), path: isSecure(service) ? '/' : '/checkout' };
}

export function cookieRules(service: Service) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(service) } as const;
}
