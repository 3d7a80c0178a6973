import type { Alert } from '../../../prisma/client/client.ts';
import { transact } from '../../event/unit-of-work.ts';
import type { Db } from '../../kit/db.ts';
import { DomainError } from '../../kit/errors.ts';
import type { Owned } from '../../kit/owner.ts';

/** Takes an alert from the dashboard; it stays in the list of all. Error: `alert_not_found`. */
export async function dismissAlert(db: Db, options: Owned & { now: Date }): Promise<Alert> {
  const { merchantId, mode, id, now } = options;
  return transact(db, async ({ tx }) => {
    await tx.alert.updateMany({
      where: { id, merchantId, mode, dismissedAt: null },
      data: { dismissedAt: now },
    });
    const alert = await tx.alert.findFirst({ where: { id, merchantId, mode } });
    if (!alert) throw new DomainError('alert_not_found', `There is no alert ${id}`);
    return alert;
  });
}
