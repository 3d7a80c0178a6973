import type { Charge, Merchant, Mode } from '../../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../../kit/clock.ts';
import { toDecimal } from '../../../../kit/money.ts';
import {
  getReleasedParts,
  type ReleasedPart,
  releasedPartsSelect,
} from '../../../payments/allocation/released-parts.ts';
import type { AuditContext } from '../../../platform/audit/record-audit.ts';
import type { Service } from '../../../platform/service.ts';
import { assignTransfer } from './assign-transfer.ts';

/** Returns the released part payments of a charge that the caller has locked. */
export async function findReleasedParts({ tx }: UnitOfWork, { id, status }: Charge): Promise<ReleasedPart[]> {
  const allocations = await tx.allocation.findMany({ where: { chargeId: id }, ...releasedPartsSelect });
  return getReleasedParts({ status, allocations }).sort((a, b) => (a.transferId < b.transferId ? -1 : 1));
}

/** Applies released part payments to the charge again. They complete it only if its amount has arrived since. */
export async function reassignReleased(
  uow: UnitOfWork<Service>,
  { charge, parts }: { charge: Charge; parts: readonly ReleasedPart[] },
  { merchant, mode, audit, now }: { merchant: Merchant; mode: Mode; audit: AuditContext; now: MerchantTime },
): Promise<Charge> {
  let updated = charge;
  for (const { transferId, amount: minor } of parts) {
    const amount = toDecimal({ minor, currency: charge.customerCurrency });
    const assignment = { transferId, parts: [{ chargeId: charge.id, amount }] };
    const { charges } = await assignTransfer(uow, { merchant, mode, assignment, audit, now });
    updated = charges[0]!;
  }
  return updated;
}
