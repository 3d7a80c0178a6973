import { transact } from '../../../event/unit-of-work.ts';
import { createTotpUri, findTotpStep, newTotpSecret } from '../../../kit/totp.ts';
import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { incorrectCodeError, normalizeCode } from './consume-code.ts';
import { lockSessionUser } from './lock-user.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, type UserCredentials, withReauthentication } from './reauthenticate.ts';
import { markAttemptsSuccessful, recordAttempt } from './record-attempt.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { endSessions } from './user-session.ts';

/**
 * Generates a secret for a user's authenticator app and returns it; it is not shown again. The secret becomes
 * active when `confirmTwoFactorSetup` receives a code of the app. Requires the password, and a code of the
 * current app if two-factor authentication is already enabled. Errors: see `withReauthentication`.
 */
export async function beginTwoFactorSetup(
  service: Service,
  options: SessionContext & { credentials: UserCredentials & { password: string } },
): Promise<{ secret: string; uri: string }> {
  const { user } = options;
  const secret = newTotpSecret();
  await withReauthentication(service, options, ({ tx }) =>
    tx.merchantUser.update({
      where: { id: user.id },
      data: {
        pendingTotpEncrypted: service.secrets.encrypt(
          secret,
          'merchant_user.pending_totp_encrypted',
          user.id,
        ),
      },
    }),
  );
  return { secret, uri: createTotpUri({ secret, issuer: 'Causeway', account: user.email }) };
}

/**
 * Enables two-factor authentication with a code of the app that was just set up, which proves that the app works.
 * Returns recovery codes, which are not shown again. Ends the user's other sessions, because they may have been started
 * without a code. Errors: `rate_limited`, `verification_code_invalid`, `unauthenticated`.
 */
export async function confirmTwoFactorSetup(
  service: Service,
  options: SessionContext & { code: string },
): Promise<string[]> {
  const { session, ipAddress, now } = options;
  const { secrets } = service;
  const attemptId = await recordAttempt(service, {
    kind: 'reauthentication',
    account: session.id,
    ipAddress,
    now,
  });
  const recoveryCodes = await transact(service, async (uow) => {
    const { tx } = uow;
    const user = await lockSessionUser(tx, options);
    if (user.pendingTotpEncrypted === null) throw incorrectCodeError();
    const secret = await secrets.decrypt(
      user.pendingTotpEncrypted,
      'merchant_user.pending_totp_encrypted',
      user.id,
    );
    const step = findTotpStep(secret, normalizeCode(options.code), now);
    if (step === undefined) throw incorrectCodeError();
    await tx.merchantUser.update({
      where: { id: user.id },
      data: {
        totpEncrypted: secrets.encrypt(secret, 'merchant_user.totp_encrypted', user.id),
        pendingTotpEncrypted: null,
        lastTotpStep: step,
      },
    });
    // The session may have re-authenticated by password alone, which is no longer enough.
    await tx.userSession.update({ where: { id: session.id }, data: { reauthenticatedAt: null } });
    await endSessions(uow, { user, keepSessionId: session.id });
    const { id, merchantId } = user;
    const entry = { merchantId, actor: `user:${id}`, ipAddress, objectId: id, now };
    await recordAudit(uow, { ...entry, action: 'user.two_factor_enabled' });
    await notifyUser(uow, { user, notice: 'two_factor_enabled', ipAddress, now });
    return replaceRecoveryCodes(tx, { userId: id, now });
  });
  await markAttemptsSuccessful(service, attemptId);
  return recoveryCodes;
}
