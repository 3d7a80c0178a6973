import { newTotpSecret, totpUri } from '../../../kit/totp.ts';
import type { Service } from '../../platform/service.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './with-reauthentication.ts';

/**
 * A secret for a user's authenticator app, which counts once a code of it was given (`confirmSecondFactor`). Takes the
 * password, and where a second factor is on already, to move it to another app, its code. Shown this once.
 * Errors: as `withProof`.
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
        newTotpEncrypted: service.secrets.encrypt(secret, 'merchant_user.new_totp_encrypted', user.id),
      },
    }),
  );
  return { secret, uri: totpUri({ secret, issuer: 'Causeway', account: user.email }) };
}
