import type { UserSession } from '../../../prisma/client/client.ts';
import type { Service } from '../service.ts';
import { type Self, secondFactorOff, withProof } from './prove.ts';

/**
 * A user gives the second factor again, for what asks for it (`requireSecondFactor`): for five minutes, in this session
 * alone. Errors: as `withProof`; `second_factor_off`.
 */
export async function proveSecondFactor(
  service: Service,
  options: Self & { code: string },
): Promise<UserSession> {
  const { user, session, code, now } = options;
  if (user.totpSealed === null) throw secondFactorOff();
  return withProof(service, { ...options, proof: { code } }, (tx) =>
    tx.userSession.update({ where: { id: session.id }, data: { provedAt: now } }),
  );
}
