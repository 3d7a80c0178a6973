import type { MerchantUser } from '../../../prisma/client/client.ts';
import { transact } from '../../kit/db.ts';
import type { Deed } from '../audit/record-audit.ts';
import type { Service } from '../service.ts';
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
  options: Deed & { email: string },
): Promise<MerchantUser> {
  return transact(service, async (tx) => {
    const user = await lockUserByEmail(tx, options.email);
    await endSessions(tx, { user });
    await forgetCodeTries(tx, { userId: user.id, now: options.now, isAlways: true });
    return turnOffSecondFactor(service, tx, { ...options, user });
  });
}
