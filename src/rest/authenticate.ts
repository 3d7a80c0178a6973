import type {
  FastifyInstance,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
} from 'fastify';
import type { Context } from '../context.ts';
import { authenticateKey } from '../domain/api-key/authenticate-key.ts';
import type { Caller } from '../domain/api-key/permissions.ts';
import { requireOperation } from '../domain/merchant/operations.ts';
import { limitRate } from '../http/limit-rate.ts';
import { DomainError } from '../kit/errors.ts';
import { operationName } from './operation-name.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests of the route that need no API credentials, since they bring a token of their own. */
    opensTo?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** Who calls; set before any handler of an API route runs. */
    caller: Caller;
  }
}

/**
 * Opens the routes of this scope to API keys by HTTP Basic. Errors: `unauthenticated`, `account_disabled`, and those of
 * requireOperation.
 */
export function authenticateRequests(app: FastifyInstance, context: Context): void {
  app.decorateRequest('caller', null as unknown as Caller);
  app.addHook('onRoute', (route) => {
    const operation = operationName(String(route.method), route.url);
    const opensTo = route.config?.opensTo;
    const authenticate: onRequestAsyncHookHandler = async (request, reply) => {
      if (opensTo?.(request) && request.headers.authorization === undefined) return;
      request.caller = await authenticateKey(context.service, readBasic(request), context.clock.now());
      limitRate(context.limiter, request.caller.actor, reply);
      if (operation !== undefined) requireOperation(request.caller, operation);
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), authenticate as onRequestHookHandler];
  });
}

/** Key and secret of `Authorization: Basic base64(key:secret)`. */
export function readBasic(request: Pick<FastifyRequest, 'headers'>): { key: string; secret: string } {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!encoded) throw new DomainError('unauthenticated', 'Send the API key and secret by HTTP Basic');
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon === -1) throw new DomainError('unauthenticated', 'Send the API key and secret by HTTP Basic');
  return { key: decoded.slice(0, colon), secret: decoded.slice(colon + 1) };
}
