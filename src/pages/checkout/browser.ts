import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { createCreatorToken, isCreatorToken } from '../../domain/payments/customer-page/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { newToken } from '../../kit/token.ts';

// Two kinds of cookies identify the customer's browser: a random token with which the browser claims sessions, and a
// signature for each charge outside of a session whose customer details the browser may view. Only responses to POST
// requests set them.

/**
 * Over HTTPS, the `__Host-` prefix prevents other hosts and HTTP pages from setting the cookies, so an attacker
 * cannot make a browser use the attacker's session or charge.
 */
export const hostPrefix = (service: Service) => (isSecure(service) ? '__Host-' : '');
const tokenCookie = (service: Service) => `${hostPrefix(service)}causeway_browser`;
const creatorPrefix = (service: Service) => `${hostPrefix(service)}causeway_made_`;
const creatorCookie = (service: Service, chargeId: string) => `${creatorPrefix(service)}${chargeId}`;

/** The token must outlive every checkout page. */
const tokenMaxAgeSeconds = (30 * dayMs) / 1000;
const creatorMaxAgeSeconds = (7 * dayMs) / 1000;
/**
 * On a shared device, such as a shop's tablet, more cookies could exceed the 8 or 16 KiB of headers that servers
 * accept.
 */
const creatorCookiesMax = 20;

export function getBrowserToken(service: Service, request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie(service)];
}

/**
 * Returns the browser's token, or a new one. Call `saveToken`, which sets the cookie, only after the token has
 * claimed a session: of two concurrent requests with new tokens, only one can claim it, and the other must not
 * overwrite the cookie.
 */
export function getOrCreateBrowserToken(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): { token: string; saveToken: () => void } {
  const token = getBrowserToken(service, request) ?? newToken();
  const options = { ...checkoutCookieOptions(service), maxAge: tokenMaxAgeSeconds };
  return { token, saveToken: () => void reply.setCookie(tokenCookie(service), token, options) };
}

type ChargeInMode = { id: string; mode: Mode };

/** Allows this browser to view the customer details of the charge it created. */
export function rememberCreator(service: Service, reply: FastifyReply, charge: ChargeInMode): void {
  const options = { ...checkoutCookieOptions(service), maxAge: creatorMaxAgeSeconds };
  reply.setCookie(creatorCookie(service, charge.id), createCreatorToken(service.secrets, charge), options);
}

export function isCreator(service: Service, request: FastifyRequest, charge: ChargeInMode): boolean {
  return isCreatorToken(service.secrets, charge, request.cookies[creatorCookie(service, charge.id)]);
}

/**
 * Returns the IDs of the charges in this mode that this browser created, newest first. Verifies the signatures
 * in the cookies.
 */
export function getCreatedChargeIds(service: Service, request: FastifyRequest, mode: Mode): string[] {
  const ids = readCreatedChargeIds(service, request);
  return ids.filter((id) => isCreator(service, request, { id, mode }));
}

/**
 * Keeps the newest `creatorCookiesMax` creator cookies and deletes the next ones. Each response deletes at most
 * the same number, because the size of response headers is limited as well.
 */
export function clearExcessCreatorCookies(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const staleIds = readCreatedChargeIds(service, request).slice(creatorCookiesMax, 2 * creatorCookiesMax);
  for (const id of staleIds) reply.clearCookie(creatorCookie(service, id), checkoutCookieOptions(service));
}

/**
 * Returns the IDs in the names of the cookies, unverified. IDs begin with their creation time, so the newest come
 * first.
 */
function readCreatedChargeIds(service: Service, { cookies }: FastifyRequest): string[] {
  const prefix = creatorPrefix(service);
  const names = Object.keys(cookies).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => name.slice(prefix.length))
    .filter((id) => /^\w+$/.test(id))
    .sort()
    .reverse();
}

/** Browsers accept a cookie with the prefix `__Host-` only with the path `/`. */
function checkoutCookieOptions(service: Service) {
  return { ...cookieOptions(service), path: isSecure(service) ? '/' : '/checkout' };
}

export function cookieOptions(service: Service) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(service) } as const;
}
