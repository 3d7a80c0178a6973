import { recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';
import { type SessionContext, twoFactorDisabledError, withReauthentication } from './reauthenticate.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';

/**
 * Replaces the user's recovery codes and returns the new ones, which are not shown again. Requires a code.
 * Errors: `two_factor_not_enabled`; see also `withReauthentication`.
 */
export function regenerateRecoveryCodes(
  service: Service,
  options: SessionContext & { code: string },
): Promise<string[]> {
  const { code, ipAddress, now } = options;
  return withReauthentication(service, { ...options, credentials: { code } }, async (uow, user) => {
    if (user.totpEncrypted === null) throw twoFactorDisabledError();
    const { id, merchantId } = user;
    const entry = { merchantId, actor: `user:${id}`, ipAddress, objectId: id, now };
    await recordAudit(uow, { ...entry, action: 'user.recovery_codes_regenerated' });
    await notifyUser(uow, { user, notice: 'recovery_codes_regenerated', ipAddress, now });
    return replaceRecoveryCodes(uow.tx, { userId: id, now });
  });
}
