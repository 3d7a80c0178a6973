import type { MerchantUser } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { notifyUser } from './notify-user.ts';

/**
 * Disables two-factor authentication for a user and deletes the recovery codes, in the caller's transaction.
 */
export async function clearTwoFactor(
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
