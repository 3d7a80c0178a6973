import type { Charge } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import { toAmountDetail } from '../../platform/audit/to-amount-detail.ts';
import type { Service } from '../../platform/service.ts';
import { canCustomerCancel } from './charge-state.ts';
import { cancelChargeBatch } from './end-charge-batch.ts';
import { lockCharge } from './lock-charge.ts';
import { chargeNotPendingError } from './update-charges.ts';

/**
 * Cancels a pending charge. Only the merchant may cancel a charge that has received money; its part payments
 * become exceptions. Throws `charge_not_found` or `charge_not_pending`.
 */
export async function cancelCharge(
  service: Service,
  options: ScopedId & Audited & { by: 'merchant' | 'customer'; actor: string; now: MerchantTime },
): Promise<Charge> {
  const { merchantId, mode, id, by, actor, now, audit } = options;
  return transact(service, async (uow) => {
    const charge = await lockCharge(uow.tx, options);
    if (charge.status !== 'pending') throw chargeNotPendingError(charge);
    if (by === 'customer' && !canCustomerCancel(charge))
      throw new DomainError(
        'charge_not_pending',
        `The customer cannot cancel the charge ${charge.id}, because it has already received money`,
      );
    const [cancelled] = await cancelChargeBatch(uow, [charge], { now, actor });
    if (audit)
      await recordAudit(uow, {
        ...audit,
        merchantId,
        mode,
        action: 'charge.cancelled',
        objectId: id,
        detail: toAmountDetail(charge),
      });
    return cancelled as Charge;
  });
}
