import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { AuditContext } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { hashPassword, makePassword } from './create-user.ts';
import { forgetCodeTries } from './forget-code-tries.ts';
import { lockUserByEmail } from './lock-user.ts';
import { setPassword } from './set-password.ts';

/**
 * An operator gives a user a made-up new password, shown this once; every session of the user ends.
 * Error: `user_not_found`.
 */
export async function givePassword(
  service: Service,
  options: AuditContext & { email: string },
): Promise<{ user: MerchantUser; password: string }> {
  const password = makePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(service, async (uow) => {
    const found = await lockUserByEmail(uow.tx, options.email);
    const action = 'user.password_reset';
    const given = await setPassword(uow, { ...options, user: found, passwordHash, action });
    await forgetCodeTries(uow.tx, { userId: found.id, now: options.now, isAlways: true });
    return given;
  });
  return { user, password };
}
