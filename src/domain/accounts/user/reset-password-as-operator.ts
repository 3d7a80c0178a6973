import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { AuditContext } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { clearCodeAttempts } from './clear-code-attempts.ts';
import { generatePassword, hashPassword } from './create-user.ts';
import { lockUserByEmail } from './lock-user.ts';
import { setPassword } from './set-password.ts';

/**
 * Sets a generated password, as an operator, and returns it; it is not shown again. Ends every session of the
 * user. Throws `user_not_found`.
 */
export async function resetPasswordAsOperator(
  service: Service,
  options: AuditContext & { email: string },
): Promise<{ user: MerchantUser; password: string }> {
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  const user = await transact(service, async (uow) => {
    const before = await lockUserByEmail(uow.tx, options.email);
    const action = 'user.password_reset';
    const after = await setPassword(uow, { ...options, user: before, passwordHash, action });
    await clearCodeAttempts(uow.tx, { userId: before.id, now: options.now, isForced: true });
    return after;
  });
  return { user, password };
}
