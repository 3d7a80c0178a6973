import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Subscription } from '../../../prisma/client/client.ts';
import { createPageToken } from '../../domain/payments/checkout/page-tokens.ts';
import type { Service } from '../../domain/platform/service.ts';
import { isSecure } from '../../http/browser.ts';
import { dayMs } from '../../kit/duration.ts';
import { cookieOptions } from '../checkout/browser.ts';

/**
 * The name of the cookie with the page token of the browser's last enrolment. With it, the customer can return
 * and choose another method. Over HTTPS, the `__Host-` prefix prevents other hosts from setting the cookie.
 */
const enrolmentCookie = (service: Service) =>
  isSecure(service) ? '__Host-causeway_enrolled' : 'causeway_enrolled';
const enrolmentMaxAgeSeconds = (7 * dayMs) / 1000;

/** Returns the token of this browser. Verify it with `isPageToken` before use. */
export function getEnrolmentToken(service: Service, request: FastifyRequest): string | undefined {
  const token = request.cookies[enrolmentCookie(service)] ?? '';
  // The token is a database parameter, and PostgreSQL rejects some characters that cookies may contain.
  return /^[\w.-]+$/.test(token) ? token : undefined;
}

export function rememberEnrolment(service: Service, reply: FastifyReply, subscription: Subscription): void {
  const token = createPageToken(service.secrets, 'subscription', subscription);
  const path = isSecure(service) ? '/' : '/pay/enrol';
  reply.setCookie(enrolmentCookie(service), token, {
    ...cookieOptions(service),
    path,
    maxAge: enrolmentMaxAgeSeconds,
  });
}
