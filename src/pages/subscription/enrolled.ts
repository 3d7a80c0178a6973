import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Subscription } from '../../../prisma/client/client.ts';
import { pageToken } from '../../domain/payments/checkout/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { cookieRules } from '../checkout/browser.ts';

/**
 * The browser that enrolled keeps the token of the subscription's page: the last one's alone, for who comes back to choose
 * another way to pay. As with sessions, over https no other host can have a browser take part in what somebody else began.
 */
const enrolledCookie = (service: Service) =>
  isSecure(service) ? '__Host-causeway_enrolled' : 'causeway_enrolled';
const enrolledSeconds = (7 * dayMs) / 1000;

/** The token that this browser keeps, to be believed only after `isPageToken`. */
export function enrolledToken(service: Service, request: FastifyRequest): string | undefined {
  const kept = request.cookies[enrolledCookie(service)] ?? '';
  // It is looked up, and a cookie may hold what PostgreSQL does not take.
  return /^[\w.-]+$/.test(kept) ? kept : undefined;
}

export function rememberEnrolled(service: Service, reply: FastifyReply, subscription: Subscription): void {
  const token = pageToken(service.secrets, 'subscription', subscription);
  const path = isSecure(service) ? '/' : '/pay/enrol';
  reply.setCookie(enrolledCookie(service), token, { ...cookieRules(service), path, maxAge: enrolledSeconds });
}
