import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from '../../../prisma/client/client.ts';
import { isMakerToken, makerToken } from '../../domain/checkout/page-tokens.ts';
import type { Service } from '../../domain/service.ts';
import { newToken } from '../../kit/token.ts';

/**
 * What the customer's browser proves by its cookies: the random token with which it claims sessions, and a signature for
 * each charge it made otherwise. Cookies are set in answers to POST alone. Over https no other host and no page over http
 * can set the token, so nobody has a browser claim a session in their name.
 */
const tokenCookie = (service: Service) =>
  isSecure(service) ? '__Host-causeway_browser' : 'causeway_browser';
const madeCookie = (chargeId: string) => `causeway_made_${chargeId}`;

/** The longest a charge's page is of use. */
const tokenSeconds = 30 * 24 * 3_600;
const madeSeconds = 7 * 24 * 3_600;

/** The token of this browser, if it has one. */
export function browserToken(service: Service, request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie(service)];
}

/** The token of this browser; a browser without one is given it. */
export function giveBrowserToken(service: Service, request: FastifyRequest, reply: FastifyReply): string {
  const token = browserToken(service, request) ?? newToken();
  const path = isSecure(service) ? '/' : checkoutPath;
  reply.setCookie(tokenCookie(service), token, { ...cookieRules(service), path, maxAge: tokenSeconds });
  return token;
}

/** Lets this browser see the customer's details of the charge it made. */
export function rememberMaker(service: Service, reply: FastifyReply, charge: Charge): void {
  const rules = { ...cookieRules(service), path: checkoutPath, maxAge: madeSeconds };
  reply.setCookie(madeCookie(charge.id), makerToken(service.secrets, charge.id), rules);
}

export function isMaker(service: Service, request: FastifyRequest, charge: { id: string }): boolean {
  return isMakerToken(service.secrets, charge.id, request.cookies[madeCookie(charge.id)]);
}

const checkoutPath = '/checkout';

export function cookieRules(service: Service) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure(service) } as const;
}

export function isSecure({ settings }: Service): boolean {
  return settings.publicUrl.startsWith('https:');
}
