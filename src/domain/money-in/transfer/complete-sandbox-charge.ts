import type { Charge } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { lockCharge } from '../../payments/charge/lock-charge.ts';
import { chargeNotPendingError } from '../../payments/charge/update-charges.ts';
import { type Audited, getSystemTime, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import type { Service } from '../../platform/service.ts';
import { completeCharges } from './complete-charges.ts';

/**
 * Completes a pending sandbox charge without a transfer. Throws `sandbox_only`, `charge_not_found` or
 * `charge_not_pending`.
 */
export async function completeSandboxCharge(
  service: Service,
  options: ScopedId & Audited & { actor: string; now: MerchantTime },
): Promise<Charge> {
  const { merchantId, mode, id, audit } = options;
  if (mode !== 'sandbox')
    throw new DomainError('sandbox_only', 'Only sandbox charges can be completed without a transfer');
  return transact(service, async (uow) => {
    const charge = await lockCharge(uow.tx, options);
    if (charge.status !== 'pending') throw chargeNotPendingError(charge);
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'charge.completed',
        objectId: id,
        detail: toAmountDetail(charge),
      });
    const [completedCharge] = await completeCharges(uow, [{ charge, completedBy: 'sandbox' }], {
      ...options,
      systemNow: getSystemTime(options),
    });
    return completedCharge!;
  });
}
