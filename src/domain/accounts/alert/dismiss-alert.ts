import type { Alert } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';

/** Hides an alert from the dashboard's notices; it stays in the list of alerts. Throws `alert_not_found`. */
export async function dismissAlert(db: Db, options: ScopedId & Audited & { now: Date }): Promise<Alert> {
  const { merchantId, mode, id, now, audit } = options;
  return transact(db, async (uow) => {
    const { tx } = uow;
    await tx.alert.updateMany({
      where: { id, merchantId, mode, dismissedAt: null },
      data: { dismissedAt: now },
    });
    const alert = await tx.alert.findFirst({ where: { id, merchantId, mode } });
    if (!alert) throw new DomainError('alert_not_found', `Alert not found: ${id}`);
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'alert.dismissed', objectId: id });
    return alert;
  });
}
