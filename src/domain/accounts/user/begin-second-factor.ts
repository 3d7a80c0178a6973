import { newTotpSecret, totpUri } from '../../../kit/totp.ts';
import type { Service } from '../../platform/service.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * Generates a secret for a user's authenticator app and returns it; it is not shown again. The secret becomes
 * active once `confirmTwoFactorSetup` receives a code of it. Requires the password, and a current code when
 * two-factor authentication is already enabled.
 * Errors: see `withReauthentication`.
 */
export async function beginSecondFactor(
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
  return { secret, uri: totpUri({ secret, issuer: 'Causeway', account: user.email }) };
}
