import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './create-user.ts';
import { setPassword } from './set-password.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * A signed-in user sets another password; takes the present one, and a code where the second factor is on. All other
 * sessions of the user end. Errors: 400 for a password that is no good; as `withProof`.
 */
export async function changePassword(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string }; newPassword: string },
): Promise<MerchantUser> {
  const { session, address, now } = options;
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
      address,
      now,
    }),
  );
}
