import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Charge } from '../../../prisma/client/client.ts';
import { isMakerToken, makerToken } from '../../domain/checkout/page-tokens.ts';
import type { Secrets } from '../../kit/secrets.ts';

/**
 * What the customer's browser proves by its cookies: the random token with which it claims sessions, and a signature for
 * each charge it made otherwise. Cookies are set in answers to POST alone.
 */
const tokenCookie = 'causeway_browser';
const madeCookie = (chargeId: string) => `causeway_made_${chargeId}`;

/** The longest a charge's page is of use. */
const tokenSeconds = 30 * 24 * 3_600;
const madeSeconds = 7 * 24 * 3_600;

/** The token of this browser, if it has one. */
export function browserToken(request: FastifyRequest): string | undefined {
  return request.cookies[tokenCookie];
}

/** The token of this browser; a browser without one is given it. */
export function giveBrowserToken(request: FastifyRequest, reply: FastifyReply): string {
  const token = browserToken(request) ?? randomBytes(32).toString('base64url');
  reply.setCookie(tokenCookie, token, cookieOptions(request, tokenSeconds));
  return token;
}

/** Lets this browser see the customer's details of the charge it made. */
export function rememberMaker(
  request: FastifyRequest,
  reply: FastifyReply,
  options: { secrets: Secrets; charge: Charge },
): void {
  const { secrets, charge } = options;
  reply.setCookie(madeCookie(charge.id), makerToken(secrets, charge.id), cookieOptions(request, madeSeconds));
}

export function isMaker(
  request: FastifyRequest,
  options: { secrets: Secrets; charge: { id: string } },
): boolean {
  const { secrets, charge } = options;
  return isMakerToken(secrets, charge.id, request.cookies[madeCookie(charge.id)]);
}

function cookieOptions(request: FastifyRequest, maxAge: number) {
  const secure = request.protocol === 'https';
  return { path: '/checkout', httpOnly: true, sameSite: 'lax', secure, maxAge } as const;
}
