import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { authenticateKey } from '../domain/accounts/api-key/authenticate-key.ts';
import type { MerchantCaller } from '../domain/accounts/api-key/permissions.ts';
import { requireOperation } from '../domain/accounts/merchant/require-operation.ts';
import {
  requireRecentTwoFactor,
  requireTwoFactorSetup,
} from '../domain/accounts/user/require-recent-two-factor.ts';
import { parseBasicCredentials } from '../http/basic-credentials.ts';
import { modeHeader, readBrowser, readSessionToken, viewerHeader } from '../http/browser.ts';
import { authenticateCaller } from '../http/caller.ts';
import { limitRate, limitRejected } from '../http/limit-rate.ts';
import { DomainError } from '../kit/errors.ts';
import { findOperation } from './find-operation.ts';

/**
 * Authenticates the routes of this scope: API keys by HTTP Basic, dashboard users by their cookie. A user's requests
 * other than GET and HEAD must come from the dashboard's own origin.
 */
export function authenticateFileRequests(app: FastifyInstance, context: Context): void {
  app.decorateRequest('caller', null as unknown as MerchantCaller);
  app.addHook('onRequest', async (request, reply) => {
    const { limiter } = context;
    request.caller = await limitRejected(limiter, { request, reply }, () =>
      authenticateFileCaller(request, context),
    );
    limitRate(limiter, request.caller.actor, reply);
    const operation = findOperation(request.method, request.routeOptions.url ?? '');
    if (operation) requireOperation(request.caller, operation);
    requireTwoFactorSetup(request.caller);
    requireRecentTwoFactor(request.caller, {
      rule: operation?.twoFactor ?? 'live',
      now: context.clock.now(),
    });
  });
}

async function authenticateFileCaller(
  request: FastifyRequest,
  { service, clock }: Context,
): Promise<MerchantCaller> {
  const { headers, method } = request;
  const now = clock.now();
  const isSignedIn = readSessionToken(service, headers) !== undefined;
  if (headers.authorization !== undefined || !isSignedIn) {
    return authenticateKey(service, parseBasicCredentials(headers), now);
  }
  const browser =
    method === 'GET' || method === 'HEAD'
      ? { token: readSessionToken(service, headers), mode: readMode(request.query) }
      : readBrowser(service, { headers, mode: headers[modeHeader], viewer: headers[viewerHeader] });
  if (!browser)
    throw new DomainError(
      'unauthenticated',
      'Session cookies are accepted only from the dashboard’s own pages',
    );
  const caller = await authenticateCaller(service, { authorization: undefined, browser }, now);
  if (caller.kind === 'user') return caller;
  throw new DomainError('permission_denied', 'Operators cannot act for a merchant');
}

/** Reads the mode before validation; the route's schema rejects invalid modes later. */
function readMode(query: unknown): 'live' | 'sandbox' {
  return (query as { mode?: unknown }).mode === 'sandbox' ? 'sandbox' : 'live';
}
