import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './create-user.ts';
import { setPassword } from './set-password.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * Changes the password of a signed-in user and ends all other sessions of the user. Requires the current
 * password, and a code when two-factor authentication is enabled.
 * Errors: 400 for an unacceptable password; see also `withReauthentication`.
 */
export async function changePassword(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string }; newPassword: string },
): Promise<MerchantUser> {
  const { session, ipAddress, now } = options;
  const { id, email } = options.user;
  const password = checkPassword(options.newPassword, { email, path: '/newPassword' });
  const passwordHash = await hashPassword(password);
  return withReauthentication(service, options, (uow, user) =>
    setPassword(uow, {
      user,
      passwordHash,
      action: 'user.password_changed',
      keepSessionId: session.id,
      actor: `user:${id}`,
      ipAddress,
      now,
    }),
  );
}
