import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Mode } from '../../../prisma/client/client.ts';
import { createCreatorToken, isCreatorToken } from '../../domain/payments/checkout/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { newToken } from '../../kit/token.ts';

/**
 * Cookies identify the customer's browser: a random token with which it claims sessions, and a signature for
 * each charge that it created from a link or address. Only responses to POST set cookies. Over HTTPS, the
 * `__Host-` prefix prevents other hosts and HTTP pages from setting them. An attacker therefore cannot make a
 * browser claim a session, or show a charge, in the attacker's name.
 */
const hostPrefix = (service: Service) => (isSecure(service) ? '__Host-' : '');
const tokenCookie = (service: Service) => `${hostPrefix(service)}causeway_browser`;
const creatorPrefix = (service: Service) => `${hostPrefix(service)}causeway_made_`;
const creatorCookie = (service: Service, chargeId: string) => `${creatorPrefix(service)}${chargeId}`;

/** The token outlives every checkout page. */
const tokenSeconds = (30 * dayMs) / 1000;
const creatorSeconds = (7 * dayMs) / 1000;
/** Bounds the cookies of a shared device, such as a shop's tablet. Servers accept 8 or 16 KiB of headers. */
const creatorCookiesMax = 20;

export function getBrowserToken(service: Service, request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie(service)];
}

/**
 * Returns the browser's token, or a new one. Call `saveToken` only after the token has claimed something. Of
 * two concurrent requests without a token, only one claims, and the other must not replace its cookie.
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

/** Allows this browser to view the customer details of the charge it created. */
export function rememberCreator(service: Service, reply: FastifyReply, charge: ChargeInMode): void {
  const options = { ...checkoutCookieOptions(service), maxAge: creatorSeconds };
  reply.setCookie(creatorCookie(service, charge.id), createCreatorToken(service.secrets, charge), options);
}

export function isCreator(service: Service, request: FastifyRequest, charge: ChargeInMode): boolean {
  return isCreatorToken(service.secrets, charge, request.cookies[creatorCookie(service, charge.id)]);
}

/**
 * Returns the ids of the charges in this mode that this browser created, newest first. The
 * cookies' signatures are verified.
 */
export function getCreatedCharges(service: Service, request: FastifyRequest, mode: Mode): string[] {
  const ids = getCreatedChargeIds(service, request);
  return ids.filter((id) => isCreator(service, request, { id, mode }));
}

/**
 * Deletes the oldest cookies beyond the limit. Deletes only a few per response, because response headers are
 * limited too.
 */
export function clearOldestCookies(service: Service, request: FastifyRequest, reply: FastifyReply): void {
  const staleIds = getCreatedChargeIds(service, request).slice(creatorCookiesMax, 2 * creatorCookiesMax);
  for (const id of staleIds) reply.clearCookie(creatorCookie(service, id), checkoutCookieOptions(service));
}

/** Sorts newest first, because ids begin with their creation time. */
function getCreatedChargeIds(service: Service, { cookies }: FastifyRequest): string[] {
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
