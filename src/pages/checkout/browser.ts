import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { createCreatorToken, isCreatorToken } from '../../domain/payments/checkout/page-tokens.ts';
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
const creatorPrefix = (service: Service) => `${hostPrefix(service)}causeway_made_`;
const creatorCookie = (service: Service, chargeId: string) => `${creatorPrefix(service)}${chargeId}`;

/** The longest a charge's page is of use. */
const tokenSeconds = (30 * dayMs) / 1000;
const creatorSeconds = (7 * dayMs) / 1000;
/** Of a shop's own tablet, which many customers pay at: servers take 8 KiB of headers, or 16. */
const creatorCookiesMax = 20;

/** The token of this browser, if it has one. */
export function getBrowserToken(service: Service, request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie(service)];
}

/**
 * The token of this browser, or a new one. `keep` gives it to the browser: only once it holds something, since of two
 * requests that both bring none, one alone gets what they ask for.
 */
export function getOrCreateBrowserToken(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): { token: string; saveToken: () => void } {
  const token = getBrowserToken(service, request) ?? newToken();
  const options = { ...checkoutCookieOptions(service), maxAge: tokenSeconds };
  return { token, saveToken: () => void reply.setCookie(tokenCookie(service), token, options) };
}

type ChargeInMode = { id: string; mode: Mode };

/** Lets this browser see the customer's details of the charge it created. */
export function rememberCreator(service: Service, reply: FastifyReply, charge: ChargeInMode): void {
  const options = { ...checkoutCookieOptions(service), maxAge: creatorSeconds };
  reply.setCookie(creatorCookie(service, charge.id), createCreatorToken(service.secrets, charge), options);
}

export function isCreator(service: Service, request: FastifyRequest, charge: ChargeInMode): boolean {
  return isCreatorToken(service.secrets, charge, request.cookies[creatorCookie(service, charge.id)]);
}

/** The charges of a mode that this browser created, as its cookies prove; the newest first. */
export function getCreatedCharges(service: Service, request: FastifyRequest, mode: Mode): string[] {
  const ids = getCreatedChargeIds(service, request);
  return ids.filter((id) => isCreator(service, request, { id, mode }));
}

/** Takes the oldest of too many from the browser; a few at a time, since an answer's headers have bounds too. */
export function clearOldestCookies(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const staleIds = getCreatedChargeIds(service, request).slice(creatorCookiesMax, 2 * creatorCookiesMax);
  for (const id of staleIds) reply.clearCookie(creatorCookie(service, id), checkoutCookieOptions(service));
}

/** Ids begin with the time. */
function getCreatedChargeIds(service: Service, { cookies }: FastifyRequest): string[] {
  const prefix = creatorPrefix(service);
  const names = Object.keys(cookies).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => name.slice(prefix.length))
    .filter((id) => /^\w+$/.test(id))
    .sort()
    .reverse();
}

/** Browsers keep a cookie with the prefix `__Host-` only for the whole host. */
function checkoutCookieOptions(service: Service) {
  return { ...cookieOptions(service), path: isSecure(service) ? '/' : '/checkout' };
}

export function cookieOptions(service: Service) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(service) } as const;
}
