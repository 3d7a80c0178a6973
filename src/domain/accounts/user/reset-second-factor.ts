import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { AuditContext } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { endSessions } from './end-sessions.ts';
import { forgetCodeTries } from './forget-code-tries.ts';
import { lockUserByEmail } from './lock-user.ts';
import { turnOffSecondFactor } from './turn-off-second-factor.ts';

/**
 * An operator turns a user's second factor off, when the app and the recovery codes are lost. Every session of the user
 * ends. Error: `user_not_found`.
 */
export async function resetSecondFactor(
  service: Service,
  options: AuditContext & { email: string },
): Promise<MerchantUser> {
  return transact(service, async (uow) => {
    const user = await lockUserByEmail(uow.tx, options.email);
    await endSessions(uow, { user });
    await forgetCodeTries(uow.tx, { userId: user.id, now: options.now, isAlways: true });
    return turnOffSecondFactor(uow, { ...options, user });
  });
}
