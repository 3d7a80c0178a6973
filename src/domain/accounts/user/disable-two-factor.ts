import type { MerchantUser } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockUserByEmail } from './lock-user.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './reauthenticate.ts';
import { resetCodeLimit } from './record-attempt.ts';
import { endSessions } from './user-session.ts';

/**
 * Disables a user's own two-factor authentication. Requires the password and a code. Errors: see
 * `withReauthentication`.
 */
export function disableTwoFactor(
  service: Service,
  options: SessionContext & { credentials: Required<UserCredentials> },
): Promise<MerchantUser> {
  return withReauthentication(service, options, async (uow, user) =>
    user.totpEncrypted === null ? user : clearTwoFactor(uow, { ...options, user, actor: `user:${user.id}` }),
  );
}

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
    await resetCodeLimit(uow.tx, { userId: user.id, now: options.now, isForced: true });
    return clearTwoFactor(uow, { ...options, user });
  });
}

async function clearTwoFactor(
  uow: UnitOfWork<Service>,
  options: AuditContext & { user: MerchantUser },
): Promise<MerchantUser> {
  const { actor, ipAddress, now } = options;
  const { id, merchantId } = options.user;
  const data = { totpEncrypted: null, pendingTotpEncrypted: null, lastTotpStep: null };
  const user = await uow.tx.merchantUser.update({ where: { id }, data });
  await uow.tx.recoveryCode.deleteMany({ where: { userId: id } });
  await recordAudit(uow, {
    merchantId,
    actor,
    ipAddress,
    action: 'user.two_factor_disabled',
    objectId: id,
    now,
  });
  await notifyUser(uow, { user, notice: 'two_factor_disabled', ipAddress, now });
  return user;
}
