import type { Charge, Invoice } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { Db } from '../../../kit/db.ts';
import { DomainError } from '../../../kit/errors.ts';
import type { ScopedId } from '../../../kit/merchant-scope.ts';
import type { Service } from '../../platform/service.ts';
import { type LockedSubscription, lockSubscriptionAndCharges } from '../subscription/lock-subscription.ts';

/** An open invoice with its locked subscription and the pending charges of the subscription. */
export type OpenInvoiceTarget = LockedSubscription & { openInvoice: Invoice; pendingCharges: Charge[] };

/**
 * Locks the subscription of an open invoice and the pending charges of the subscription. Throws `invoice_not_found` or
 * `invoice_not_open`.
 */
export async function lockOpenInvoice(
  uow: UnitOfWork<Service>,
  { merchantId, mode, id }: ScopedId,
): Promise<OpenInvoiceTarget> {
  const { subscriptionId, number } = await getInvoice(uow, { merchantId, mode, id });
  const target = await lockSubscriptionAndCharges(uow.tx, { merchantId, mode, id: subscriptionId });
  const { openInvoice } = target;
  if (openInvoice?.id !== id)
    throw new DomainError('invoice_not_open', `Invoice ${number} is not open: it is paid or void`);
  return { ...target, openInvoice };
}

async function getInvoice(db: Db, options: ScopedId): Promise<Invoice> {
  const { merchantId, mode, id } = options;
  const invoice = await db.prisma.invoice.findFirst({ where: { id, merchantId, mode } });
  if (!invoice) throw new DomainError('invoice_not_found', `Invoice not found: ${id}`);
  return invoice;
}
