import type { Charge } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { PageVisitor } from '../../payments/customer-page/checkout-slot.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { requestPayment } from '../subscription/request-payment.ts';
import { lockOpenInvoice } from './lock-open-invoice.ts';

/**
 * Returns the charge that pays an invoice: the pending one or, if that has expired or has another method, a
 * new one. Throws `invoice_not_found`, `invoice_not_open` and the errors of `requestPayment`.
 */
export async function payInvoice(
  service: Service,
  options: ScopedId &
    Audited & { method?: MethodCode | undefined; actor: string; visitor?: PageVisitor; now: MerchantTime },
): Promise<Charge> {
  const { merchantId, mode, now, actor, visitor, audit } = options;
  return transact(service, async (uow) => {
    const target = await lockOpenInvoice(uow, options);
    const method = options.method ?? (target.subscription.method as MethodCode);
    const charge = await requestPayment(uow, target, { method, now, actor, visitor });
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'invoice.charged', objectId: charge.id });
    return charge;
  });
}
