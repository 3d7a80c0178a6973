import type { FastifyInstance, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Context } from '../context.ts';
import { authenticateKey } from '../domain/accounts/api-key/authenticate-key.ts';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import { requireOperation } from '../domain/accounts/merchant/require-operation.ts';
import { parseBasicCredentials } from '../http/basic-credentials.ts';
import { limitRate, limitRejected, toVisitorKey } from '../http/limit-rate.ts';
import { findOperation } from './find-operation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether a request needs no API credentials, because it carries its own token. */
    allowsAnonymous?: (request: FastifyRequest) => boolean;
  }
  interface FastifyRequest {
    /** Set before the handler of an API route runs; null for a request that `allowsAnonymous` accepts. */
    caller: MerchantCaller;
  }
}

/** Authenticates the routes of this scope by API key over HTTP Basic. */
export function authenticateRequests(app: FastifyInstance, context: Context): void {
  app.decorateRequest('caller', null as unknown as MerchantCaller);
  app.addHook('onRoute', (route) => {
    const operation = findOperation(String(route.method), route.url);
    const allowsAnonymous = route.config?.allowsAnonymous;
    const authenticate: onRequestAsyncHookHandler = async (request, reply) => {
      const { limiter, service, clock } = context;
      if (allowsAnonymous?.(request) && request.headers.authorization === undefined)
        return limitRate(limiter, toVisitorKey(request), reply);
      request.caller = await limitRejected(limiter, { request, reply }, async () =>
        authenticateKey(service, parseBasicCredentials(request.headers), clock.now()),
      );
      limitRate(limiter, request.caller.actor, reply);
      if (operation) requireOperation(request.caller, operation);
    };
    route.onRequest = [...[route.onRequest ?? []].flat(), authenticate as onRequestHookHandler];
  });
}
