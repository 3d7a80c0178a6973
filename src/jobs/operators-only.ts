import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { findUserSession, type SignedInUser } from '../domain/user/find-user-session.ts';
import { readSessionToken } from '../http/browser.ts';
import { minuteMs } from '../kit/duration.ts';
import { DomainError } from '../kit/errors.ts';
import type { Guard } from './job-dashboard.ts';

/** How often an open stream's session is looked up while nothing tells of a change: it may be over by itself. */
const checkMs = minuteMs;

/**
 * Lets operators who are signed in at the dashboard pass, and follow for as long as they may. A browser without a session
 * is sent there; what changes something must come from our own origin. Errors: `unauthenticated`, `permission_denied`.
 */
export function operatorsOnly({ service, clock, hub }: Context): Guard {
  const passed = new WeakMap<FastifyRequest, SignedInUser>();

  const findUser = async ({ headers }: FastifyRequest): Promise<SignedInUser | undefined> => {
    const token = readSessionToken(service, headers);
    if (token === undefined) return undefined;
    return (await findUserSession(service, { token, now: clock.now() }))?.user;
  };

  return {
    async authorize(request, reply) {
      const user = await findUser(request);
      const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
      if (!user && isPage) {
        await reply.redirect('/dashboard');
        return;
      }
      passed.set(request, requireOperator(user));
      if (request.method !== 'GET' && request.headers.origin !== service.settings.publicUrl) {
        throw new DomainError('permission_denied', 'Changes are taken from the dashboard’s own pages only');
      }
    },
    follow(request, end) {
      const look = () => {
        findUser(request)
          .then(requireOperator)
          .catch((error) => {
            // What failed for another reason is asked again.
            if (error instanceof DomainError) end();
          });
      };
      // A user who is removed, or signs out elsewhere, is told of under their id.
      const forget = hub.subscribe(requireOperator(passed.get(request)).id, look);
      const timer = setInterval(look, checkMs);
      // What was told before the subscription was missed.
      look();
      return () => {
        forget();
        clearInterval(timer);
      };
    },
  };
}

function requireOperator(user: SignedInUser | undefined): SignedInUser {
  if (!user) throw new DomainError('unauthenticated', 'Sign in at the dashboard as an operator');
  if (user.role !== 'operator') throw new DomainError('permission_denied', 'Only operators see the jobs');
  return user;
}
