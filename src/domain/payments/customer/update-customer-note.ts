import type { Customer } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { checkTrimmed } from '../../../kit/text.ts';
import { type AuditContext, recordAudit } from '../../platform/audit/record-audit.ts';

const noteLengthMax = 2_000;

/** Returns the trimmed note; null if it is empty. Error: `invalid_request`. */
export function parseTeamNote(note: string | null): string | null {
  return checkTrimmed(note, '/note', noteLengthMax) || null;
}

/** Changes the merchant's note about a customer; null removes it. Errors: `customer_not_found`, `invalid_request`. */
export async function updateCustomerNote(
  db: Db,
  options: ScopedId & { note: string | null; audit: AuditContext; now: Date },
): Promise<Customer> {
  const { id, merchantId, mode, audit, now } = options;
  const note = parseTeamNote(options.note);
  return transact(db, async (uow) => {
    const [customer] = await uow.tx.customer.updateManyAndReturn({
      where: { id, merchantId, mode },
      data: { note, updatedAt: now },
    });
    if (!customer) throw new DomainError('customer_not_found', `Customer not found: ${id}`);
    await recordAudit(uow, { merchantId, mode, ...audit, action: 'customer.updated', objectId: id });
    return customer;
  });
}
