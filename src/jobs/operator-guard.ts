import type { FastifyRequest } from 'fastify';
import type { UserSession } from '../../prisma/client/client.ts';
import type { Context } from '../context.ts';
import { requireRecentTwoFactor } from '../domain/accounts/user/require-recent-two-factor.ts';
import { findUserSession, type UserWithMerchant } from '../domain/accounts/user/user-session.ts';
import { recordAudit } from '../domain/platform/audit/record-audit.ts';
import { transact } from '../event/unit-of-work.ts';
import { readSessionToken } from '../http/browser.ts';
import { minuteMs } from '../kit/duration.ts';
import { DomainError } from '../kit/errors.ts';
import type { OperatorGuard } from './job-dashboard.ts';

/** The interval at which the session of an open stream is checked, because a session can expire without a notice. */
const checkIntervalMs = minuteMs;

const codeMessage =
  'Open Jobs in the dashboard at /dashboard, select "Enter a code", and then try again here';

type SignedInSession = { user: UserWithMerchant; session: UserSession };

/**
 * Authorizes operators who are signed in to the dashboard, and follows their session. Redirects a browser
 * without a session to the dashboard. Changes require our own origin and a recent two-factor code, and are
 * audited.
 */
export function createOperatorGuard({ service, clock, hub }: Context): OperatorGuard {
  const authorizedUsers = new WeakMap<FastifyRequest, UserWithMerchant>();

  const findSession = async ({ headers }: FastifyRequest) => {
    const token = readSessionToken(service, headers);
    if (token === undefined) return undefined;
    return findUserSession(service, { token, now: clock.now() });
  };

  const authorizeChange = async (request: FastifyRequest, signedIn: SignedInSession): Promise<void> => {
    const now = clock.now();
    if (request.headers.origin !== service.settings.publicUrl)
      throw new DomainError('permission_denied', 'Changes are accepted only from the dashboard’s own pages');
    requireRecentTwoFactor(signedIn, { rule: 'always', now, message: codeMessage });
    // Audited before the change, because the jobs may be in another database.
    await transact(service, (uow) =>
      recordAudit(uow, {
        actor: `operator:${signedIn.user.id}`,
        ipAddress: request.ip,
        action: 'job.changed',
        detail: { method: request.method, path: request.routeOptions.url ?? '' },
        now,
      }),
    );
  };

  return {
    async authorize(request, reply) {
      const signedIn = await findSession(request);
      const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
      if (!signedIn && isPage) {
        await reply.redirect('/dashboard');
        return;
      }
      const operator = requireOperator(signedIn);
      authorizedUsers.set(request, operator.user);
      if (request.method !== 'GET' && request.method !== 'HEAD') await authorizeChange(request, operator);
    },
    follow(request, end) {
      const recheck = () => {
        findSession(request)
          .then(requireOperator)
          .catch((error) => {
            // Other errors are temporary, so the next check decides.
            if (error instanceof DomainError) end();
          });
      };
      // Notices about a removed or signed-out user contain the user's ID.
      const unsubscribe = hub.subscribe(authorizedUsers.get(request)!.id, recheck);
      const timer = setInterval(recheck, checkIntervalMs);
      // Detects changes before the subscription.
      recheck();
      return () => {
        unsubscribe();
        clearInterval(timer);
      };
    },
  };
}

function requireOperator(signedIn: SignedInSession | undefined): SignedInSession {
  if (!signedIn) throw new DomainError('unauthenticated', 'Sign in to the dashboard as an operator');
  if (signedIn.user.role !== 'operator')
    throw new DomainError('permission_denied', 'Only operators can view the jobs');
  return signedIn;
}
