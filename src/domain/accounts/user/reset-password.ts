import { transact } from '../../../event/unit-of-work.ts';
import { DomainError } from '../../../kit/errors.ts';
import { sha256 } from '../../../kit/secrets.ts';
import type { Service } from '../../platform/service.ts';
import { checkPassword } from './check-password.ts';
import { hashPassword } from './create-user.ts';
import { clearAttempts, recordAttempt } from './record-attempt.ts';
import { setPassword } from './set-password.ts';

/**
 * Sets a new password with the token of an emailed link, which works once, and returns the user's email
 * address. Ends every session of the user. Two-factor authentication stays enabled.
 * Errors: `rate_limited`, `link_invalid`; 400 for an unacceptable password, which does not use up the link.
 */
export async function resetPassword(
  service: Service,
  options: { token: string; newPassword: string; ipAddress: string; now: Date },
): Promise<string> {
  const { ipAddress, now } = options;
  const tokenHash = sha256(options.token);
  const attemptId = await recordAttempt(service, { kind: 'link', account: 'reset', ipAddress, now });
  const reset = await service.prisma.passwordReset.findFirst({
    where: { tokenHash, expiresAt: { gt: now }, user: { removedAt: null } },
    include: { user: true },
  });
  if (!reset) throw invalidLinkError();
  await clearAttempts(service, attemptId);
  const { user } = reset;
  const password = checkPassword(options.newPassword, { email: user.email, path: '/newPassword' });
  const passwordHash = await hashPassword(password);
  await transact(service, async (uow) => {
    const { count } = await uow.tx.passwordReset.deleteMany({ where: { tokenHash, expiresAt: { gt: now } } });
    if (count === 0) throw invalidLinkError();
    await setPassword(uow, {
      user,
      passwordHash,
      action: 'user.password_reset',
      actor: `user:${user.id}`,
      ipAddress,
      now,
    });
  });
  return user.email;
}

export function invalidLinkError(): DomainError {
  return new DomainError('link_invalid', 'The link is invalid, already used or expired');
}
