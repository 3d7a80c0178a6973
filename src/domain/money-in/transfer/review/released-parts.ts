import type { Charge, Merchant, Mode } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { toDecimal } from '../../../../kit/money.ts';
import type { AuditContext } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { assignTransfer } from './assign-transfer.ts';

type ReleasedPart = { transferId: string; minor: string };

/**
 * Returns the part payments that the charge released when it last ended, as far as they are still unallocated. A charge
 * that was extended may have released the same transfer before.
 */
export function findReleasedParts(uow: UnitOfWork, chargeId: string): Promise<ReleasedPart[]> {
  return uow.tx.$queryRaw`
    SELECT DISTINCT ON (transfer.id) transfer.id AS "transferId",
      least(-released.amount, transfer.amount - transfer.allocated)::text AS minor
    FROM allocation released JOIN transfer ON transfer.id = released.transfer_id
    WHERE released.charge_id = ${chargeId} AND released.reason IN ('charge_expired', 'charge_cancelled')
      AND transfer.status = 'exception' AND transfer.allocated < transfer.amount AND transfer.undone_at IS NULL
    ORDER BY transfer.id, released.id DESC`;
}

/** Applies released part payments to the charge again. They complete it only if its amount has arrived since. */
export async function reassignReleased(
  uow: UnitOfWork<Service>,
  { charge, parts }: { charge: Charge; parts: readonly ReleasedPart[] },
  { merchant, mode, audit, now }: { merchant: Merchant; mode: Mode; audit: AuditContext; now: MerchantTime },
): Promise<Charge> {
  let updated = charge;
  for (const { transferId, minor } of parts) {
    const amount = toDecimal({ minor: BigInt(minor), currency: charge.customerCurrency });
    const assignment = { transferId, parts: [{ chargeId: charge.id, amount }] };
    const { charges } = await assignTransfer(uow, { merchant, mode, assignment, audit, now });
    updated = charges[0]!;
  }
  return updated;
}
