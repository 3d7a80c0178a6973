import type { UserSession } from '../../../../prisma/client/client.ts';
import { invalidInput } from '../../../kit/errors.ts';
import type { Service } from '../../platform/service.ts';
import { type Proof, type Self, withProof } from './prove.ts';

/**
 * A signed-in user shows again that it is them, in this session only: by a code where they have two-factor
 * authentication, otherwise by the password. Errors: as `withProof`; `invalid_request` without the password.
 */
export async function reauthenticate(
  service: Service,
  options: Self & { proof: Proof },
): Promise<UserSession> {
  const { user, session, proof, now } = options;
  const requirePassword = (totpEncrypted: string | null) => {
    if (totpEncrypted === null && proof.password === undefined)
      throw invalidInput('/password', 'is required while two-factor authentication is disabled');
  };
  requirePassword(user.totpEncrypted);
  return withProof(service, options, ({ tx }, present) => {
    requirePassword(present.totpEncrypted);
    return tx.userSession.update({ where: { id: session.id }, data: { reauthenticatedAt: now } });
  });
}
