import type { FastifyInstance } from 'fastify';
import type { Service } from '../domain/platform/service.ts';
import { isSecure } from './browser.ts';

const yearSeconds = 365 * 24 * 3_600;

/**
 * What every answer carries unless its route says otherwise: it is kept by nobody, is what its type says, stands in no
 * frame, runs nothing and is shown by no other site. Where PUBLIC_URL is https, browsers come back by https alone.
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

/** Sets the headers of `safeHeaders` before any route or hook, so that a route can replace one. */
export function setSecurityHeaders(app: FastifyInstance, service: Pick<Service, 'settings'>): void {
  const headers = getSecurityHeaders(service);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}
