import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Subscription } from '../../../prisma/client/client.ts';
import { createPageToken } from '../../domain/payments/checkout/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { cookieOptions } from '../checkout/browser.ts';

/**
 * The browser that enrolled keeps the token of the subscription's page: the last one's alone, for who comes back to choose
 * another way to pay. As with sessions, over https no other host can have a browser take part in what somebody else began.
 */
const enrolmentCookie = (service: Service) =>
  isSecure(service) ? '__Host-causeway_enrolled' : 'causeway_enrolled';
const enrolmentSeconds = (7 * dayMs) / 1000;

/** The token that this browser keeps, to be believed only after `isPageToken`. */
export function getEnrolmentToken(service: Service, request: FastifyRequest): string | undefined {
  const token = request.cookies[enrolmentCookie(service)] ?? '';
  // It is looked up, and a cookie may hold what PostgreSQL does not take.
  return /^[\w.-]+$/.test(token) ? token : undefined;
}

export function rememberEnrolment(service: Service, reply: FastifyReply, subscription: Subscription): void {
  const token = createPageToken(service.secrets, 'subscription', subscription);
  const path = isSecure(service) ? '/' : '/pay/enrol';
  reply.setCookie(enrolmentCookie(service), token, {
    ...cookieOptions(service),
    path,
    maxAge: enrolmentSeconds,
  });
}
