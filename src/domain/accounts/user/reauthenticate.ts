import type { UserSession } from '../../../../prisma/client/client.ts';
import { invalidInputError } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * Re-authenticates a signed-in user, for this session only: by a code if two-factor authentication is
 * enabled, otherwise by the password.
 * Errors: `invalid_request` if the password is missing; see also `withReauthentication`.
 */
export async function reauthenticate(
  service: Service,
  options: SessionContext & { credentials: UserCredentials },
): Promise<UserSession> {
  const { user, session, credentials, now } = options;
  const requirePassword = (totpEncrypted: string | null) => {
    if (totpEncrypted === null && credentials.password === undefined)
      throw invalidInputError('/password', 'is required while two-factor authentication is disabled');
  };
  requirePassword(user.totpEncrypted);
  return withReauthentication(service, options, ({ tx }, current) => {
    requirePassword(current.totpEncrypted);
    return tx.userSession.update({ where: { id: session.id }, data: { reauthenticatedAt: now } });
  });
}
