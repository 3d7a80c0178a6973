import type { Invoice } from '../../../../prisma/client/client.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import type { RenewalQuote } from '../subscription/create-renewal-pricer.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { toInvoiceChargeTerms } from '../subscription/subscription-charge-terms.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { toInvoiceView } from './to-invoice-view.ts';

type InvoiceDueContext = { actor: string; now: MerchantTime };

/**
 * Announces an invoice that was opened early and is now due. Links the charge that the customer is about to
 * pay, else creates one; none if no method can accept the payment now. The caller holds the subscription's
 * lock.
 */
export async function announceInvoiceDue(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { quote, actor, now }: InvoiceDueContext & { quote: RenewalQuote | null },
): Promise<LockedSubscription> {
  const invoice = { ...locked.openInvoice!, dueNotifiedAt: now };
  const payableCharge = await findPayableCharge(uow.tx, invoice, now);
  const { customerId } = locked.subscription;
  const prepared = quote && { ...quote, terms: toInvoiceChargeTerms(locked, invoice) };
  const insertedCharges =
    payableCharge || !prepared ? [] : await insertCharges(uow, [{ prepared, customerId }], { actor, now });
  const charge = payableCharge ?? insertedCharges[0];
  const openInvoice = await uow.tx.invoice.update({
    where: { id: invoice.id },
    data: { dueNotifiedAt: now, chargeId: charge?.id ?? null, version: { increment: 1 }, updatedAt: now },
  });
  const updated = { ...locked, openInvoice };
  await recordInvoicesDue(uow, [updated], { actor, now });
  return transitionSubscription(uow, updated, { now, actor, eventType: null });
}

/**
 * Charges are locked before subscriptions, so this reads without a lock. A charge that completes concurrently
 * closes the invoice.
 */
function findPayableCharge(
  tx: Tx,
  { id: invoiceId }: Invoice,
  now: MerchantTime,
): Promise<{ id: string } | null> {
  const where = { invoiceId, status: 'pending', expiresAt: { gte: now } } as const;
  return tx.charge.findFirst({ where, select: { id: true }, orderBy: { id: 'desc' } });
}

/** Records `subscription_invoice_due` for the open invoices. */
export async function recordInvoicesDue(
  uow: UnitOfWork<Service>,
  subscriptions: readonly LockedSubscription[],
  { actor, now }: InvoiceDueContext,
): Promise<void> {
  const events = subscriptions.map(({ subscription, openInvoice }) => ({
    merchantId: subscription.merchantId,
    mode: subscription.mode,
    type: 'subscription_invoice_due' as const,
    objectId: openInvoice!.id,
    objectVersion: openInvoice!.version,
    payload: toInvoiceView(uow, openInvoice!, subscription),
    actor,
    now,
  }));
  recordEvents(uow, events);
}
