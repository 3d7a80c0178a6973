import type { Charge, Merchant, Mode } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { toDecimal } from '../../../../kit/money.ts';
import type { AuditContext } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { assignTransfer } from './assign-transfer.ts';

type ReleasedPart = { transferId: string; minor: string };

/**
 * Returns the part payments that an ended charge released, as far as they are still unallocated. Excludes transfers
 * that were applied to the charge again since, even if a user unassigned them later.
 */
export async function findReleasedParts(uow: UnitOfWork, { id, status }: Charge): Promise<ReleasedPart[]> {
  if (status === 'pending') return [];
  return uow.tx.$queryRaw`
    SELECT transfer.id AS "transferId",
      least(-released.amount, transfer.amount - transfer.allocated)::text AS minor
    FROM (
      SELECT DISTINCT ON (transfer_id) transfer_id, amount, reason, sum(amount) OVER (PARTITION BY transfer_id) AS net
      FROM allocation WHERE charge_id = ${id} ORDER BY transfer_id, amount < 0 DESC, id DESC) released
    JOIN transfer ON transfer.id = released.transfer_id
    WHERE released.net = 0 AND released.reason IN ('charge_expired', 'charge_cancelled')
      AND transfer.status = 'exception' AND transfer.allocated < transfer.amount AND transfer.undone_at IS NULL
    ORDER BY transfer.id`;
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
