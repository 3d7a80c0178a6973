import { createTotpUri, newTotpSecret } from '../../../kit/totp.ts';
import type { Service } from '../../platform/service.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * Generates a secret for a user's authenticator app and returns it; it is not shown again. The secret becomes
 * active when `confirmTwoFactorSetup` receives a code of the app. Requires the password, and a code of the
 * current app if two-factor authentication is already enabled. Errors: see `withReauthentication`.
 */
export async function beginTwoFactorSetup(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string } },
): Promise<{ secret: string; uri: string }> {
  const { user } = options;
  const secret = newTotpSecret();
  await withReauthentication(service, options, ({ tx }) =>
    tx.merchantUser.update({
      where: { id: user.id },
      data: {
        pendingTotpEncrypted: service.secrets.encrypt(
          secret,
          'merchant_user.pending_totp_encrypted',
          user.id,
        ),
      },
    }),
  );
  return { secret, uri: createTotpUri({ secret, issuer: 'Causeway', account: user.email }) };
}
