import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { type AuditAction, type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { checkPassword } from './check-password.ts';
import { generatePassword, hashPassword } from './create-user.ts';
import { lockUserByEmail } from './lock-user.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './reauthenticate.ts';
import { resetCodeLimit } from './record-attempt.ts';
import { endSessions } from './user-session.ts';

/**
 * Sets a user's password in the caller's transaction; all password changes go through this function. Ends the
 * user's sessions except `keepSessionId`, deletes reset links and an unconfirmed email address, clears failed codes,
 * emails the user and records the change in the audit trail.
 */
export async function setPassword(
  uow: UnitOfWork<Service>,
  options: AuditContext & {
    user: MerchantUser;
    passwordHash: string;
    action: Extract<AuditAction, 'user.password_changed' | 'user.password_reset'>;
    keepSessionId?: string | undefined;
  },
): Promise<MerchantUser> {
  const { tx } = uow;
  const { passwordHash, action, keepSessionId, actor, ipAddress, now } = options;
  const { id, merchantId, email } = options.user;
  const user = await tx.merchantUser.update({ where: { id }, data: { passwordHash } });
  await tx.passwordReset.deleteMany({ where: { userId: id } });
  await tx.emailChange.deleteMany({ where: { userId: id } });
  await resetCodeLimit(tx, { userId: id, now });
  await endSessions(uow, { user, keepSessionId });
  await recordAudit(uow, { merchantId, actor, ipAddress, action, objectId: id, detail: { email }, now });
  await notifyUser(uow, { user, notice: 'password_changed', ipAddress, now });
  return user;
}

/**
 * Changes the password of a signed-in user and ends all other sessions of the user. Requires the current
 * password, and a code when two-factor authentication is enabled.
 * Errors: 400 for an unacceptable password; see also `withReauthentication`.
 */
export async function changePassword(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string }; newPassword: string },
): Promise<MerchantUser> {
  const { session, ipAddress, now } = options;
  const { id, email, name, merchantId } = options.user;
  const merchant =
    merchantId === null ? null : await service.prisma.merchant.findUnique({ where: { id: merchantId } });
  const names = [name, merchant?.name ?? null, merchant?.displayName ?? null];
  const password = checkPassword(options.newPassword, { email, names, path: '/newPassword' });
  const passwordHash = await hashPassword(password);
  return withReauthentication(service, options, (uow, user) =>
    setPassword(uow, {
      user,
      passwordHash,
      action: 'user.password_changed',
      keepSessionId: session.id,
      actor: `user:${id}`,
      ipAddress,
      now,
    }),
  );
}

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
    await resetCodeLimit(uow.tx, { userId: before.id, now: options.now, isForced: true });
    return after;
  });
  return { user, password };
}
