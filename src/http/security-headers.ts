import type { FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { isSecure } from './browser.ts';

const yearSeconds = 365 * 24 * 3_600;

/**
 * Returns the default headers of every response. They forbid caching, content sniffing, framing, scripts, referrers and
 * use by other sites. If PUBLIC_URL is https, they also enforce https.
 */
export function getSecurityHeaders(service: Pick<Service, 'settings'>): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    ...(isSecure(service) && { 'strict-transport-security': `max-age=${yearSeconds}` }),
  };
}

/** Sets the security headers before any other hook or route runs, so that routes can replace them. */
export function setSecurityHeaders(app: FastifyInstance, service: Pick<Service, 'settings'>): void {
  const headers = getSecurityHeaders(service);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
