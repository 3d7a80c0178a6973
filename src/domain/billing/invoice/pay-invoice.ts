import type { Charge, Invoice } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { MethodCode } from '../../../method/catalog.ts';
import type { PageVisitor } from '../../payments/checkout/checkout-slot.ts';
import { type Audited, recordAudit } from '../../platform/audit/record-audit.ts';
import type { Service } from '../../platform/service.ts';
import { lockSubscriptionAndCharges } from '../subscription/lock-subscription.ts';
import { requestPayment } from '../subscription/request-payment.ts';

/**
 * Returns the charge that pays an invoice: the pending one or, if that has expired or has another method, a
 * new one. Throws `invoice_not_found`, `invoice_not_open` and the errors of `requestPayment`.
 */
export async function payInvoice(
  service: Service,
  options: ScopedId &
    Audited & { method?: MethodCode | undefined; actor: string; visitor?: PageVisitor; now: MerchantTime },
): Promise<Charge> {
  const { merchantId, mode, id, now, actor, visitor, audit } = options;
  const { subscriptionId } = await getInvoice(service, { merchantId, mode, id });
  return transact(service, async (uow) => {
    const target = await lockSubscriptionAndCharges(uow.tx, { merchantId, mode, id: subscriptionId });
    if (target.openInvoice?.id !== id) {
      throw new DomainError(
        'invoice_not_open',
        `The invoice ${id} cannot be paid, because it is paid or void`,
      );
    }
    const method = options.method ?? (target.subscription.method as MethodCode);
    const charge = await requestPayment(uow, target, { method, now, actor, visitor });
    if (audit)
      await recordAudit(uow, { ...audit, merchantId, mode, action: 'invoice.charged', objectId: charge.id });
    return charge;
  });
}

async function getInvoice(db: Db, options: ScopedId): Promise<Invoice> {
  const { merchantId, mode, id } = options;
  const invoice = await db.prisma.invoice.findFirst({ where: { id, merchantId, mode } });
  if (!invoice) throw new DomainError('invoice_not_found', `Invoice not found: ${id}`);
  return invoice;
}
