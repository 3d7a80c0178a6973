import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { AuditContext } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { clearCodeAttempts } from './clear-code-attempts.ts';
import { clearTwoFactor } from './clear-two-factor.ts';
import { endSessions } from './end-sessions.ts';
import { lockUserByEmail } from './lock-user.ts';

/**
 * Disables two-factor authentication, as an operator, for a user who lost the app and the recovery codes.
 * Ends every session of the user. Throws `user_not_found`.
 */
export async function disableTwoFactorAsOperator(
  service: Service,
  options: AuditContext & { email: string },
): Promise<MerchantUser> {
  return transact(service, async (uow) => {
    const user = await lockUserByEmail(uow.tx, options.email);
    await endSessions(uow, { user });
    await clearCodeAttempts(uow.tx, { userId: user.id, now: options.now, isForced: true });
    return clearTwoFactor(uow, { ...options, user });
  });
}
