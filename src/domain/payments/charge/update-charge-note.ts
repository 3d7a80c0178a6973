import type { Charge } from '../../../../prisma/client/client.ts';
import { announceChange } from '../../../event/announce-change.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';
import { parseTeamNote } from '../customer/update-customer-note.ts';

/** Changes the merchant's note about a charge; null removes it. Errors: `charge_not_found`, `invalid_request`. */
export async function updateChargeNote(
  db: Db,
  options: ScopedId & { note: string | null; audit: AuditContext; now: Date },
): Promise<Charge> {
  const { id, merchantId, mode, audit, now } = options;
  const note = parseTeamNote(options.note);
  return transact(db, async (uow) => {
    const [charge] = await uow.tx.charge.updateManyAndReturn({
      where: { id, merchantId, mode },
      data: { note, updatedAt: now },
    });
    if (!charge) throw new DomainError('charge_not_found', `Charge not found: ${id}`);
    announceChange(uow, { merchantId, mode, objectId: id });
    await recordAudit(uow, { merchantId, mode, ...audit, action: 'charge.updated', objectId: id });
    return charge;
  });
}
