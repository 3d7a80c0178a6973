import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { findUserSession } from '../domain/user/find-user-session.ts';
import { readSessionToken } from '../http/browser.ts';
import { DomainError } from '../kit/errors.ts';

/**
 * Lets operators who are signed in at the dashboard pass. A browser without a session is sent there; what changes
 * something must come from our own origin. Errors: `unauthenticated`, `permission_denied`.
 */
export function operatorsOnly({ service, clock }: Context) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = readSessionToken(service, request.headers);
    const found =
      token === undefined ? undefined : await findUserSession(service, { token, now: clock.now() });
    const user = found?.user;
    const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
    if (!user && isPage) {
      await reply.redirect('/dashboard');
      return;
    }
    if (!user) throw new DomainError('unauthenticated', 'Sign in at the dashboard as an operator');
    if (user.role !== 'operator') throw new DomainError('permission_denied', 'Only operators see the jobs');
    if (request.method !== 'GET' && request.headers.origin !== service.settings.publicUrl) {
      throw new DomainError('permission_denied', 'Changes are taken from the dashboard’s own pages only');
    }
  };
}
