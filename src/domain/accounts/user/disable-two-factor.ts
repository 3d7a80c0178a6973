import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { Service } from '../../platform/service.ts';
import { clearTwoFactor } from './clear-two-factor.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * Disables a user's own two-factor authentication. Requires the password and a code. Errors: see
 * `withReauthentication`.
 */
export function disableTwoFactor(
  service: Service,
  options: SessionContext & { credentials: Required<UserCredentials> },
): Promise<MerchantUser> {
  return withReauthentication(service, options, async (uow, user) =>
    user.totpEncrypted === null ? user : clearTwoFactor(uow, { ...options, user, actor: `user:${user.id}` }),
  );
}
