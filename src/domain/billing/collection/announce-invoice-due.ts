import type { Invoice } from '../../../../prisma/client/client.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import { toInvoiceView } from '../invoice/to-invoice-view.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { toInvoiceChargeTerms } from '../subscription/subscription-charge-terms.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import type { RenewalQuote } from './create-renewal-pricer.ts';

type InvoiceDueContext = { actor: string; now: MerchantTime };

/**
 * Requests the payment of an invoice that was created early, on the day on which it would otherwise have been
 * created. Records `subscription_invoice_due`, and links the invoice to its pending charge or, if there is
 * none, to a new one. Links it to no charge if the method cannot accept the payment now. The caller must hold
 * the subscription's lock.
 */
export async function announceInvoiceDue(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { quote, actor, now }: InvoiceDueContext & { quote: RenewalQuote | null },
): Promise<LockedSubscription> {
  const invoice = { ...target.openInvoice!, dueNotifiedAt: now };
  const payableCharge = await findPayableCharge(uow.tx, invoice, now);
  const { customerId } = target.subscription;
  const preparedCharge = quote && { ...quote, terms: toInvoiceChargeTerms(target, invoice) };
  const insertedCharges =
    payableCharge || !preparedCharge
      ? []
      : await insertCharges(uow, [{ preparedCharge, customerId }], { actor, now });
  const charge = payableCharge ?? insertedCharges[0];
  const openInvoice = await uow.tx.invoice.update({
    where: { id: invoice.id },
    data: { dueNotifiedAt: now, chargeId: charge?.id ?? null, version: { increment: 1 }, updatedAt: now },
  });
  const updated = { ...target, openInvoice };
  recordInvoicesDue(uow, [updated], { actor, now });
  return transitionSubscription(uow, updated, { now, actor, eventType: null });
}

/**
 * Returns the newest pending charge of an invoice that can still be paid, or null. Does not lock the charge, because
 * charges must be locked before subscriptions. If the charge is completed concurrently, that transaction closes the
 * invoice afterwards.
 */
function findPayableCharge(
  tx: Tx,
  { id: invoiceId }: Invoice,
  now: MerchantTime,
): Promise<{ id: string } | null> {
  const where = { invoiceId, status: 'pending', expiresAt: { gte: now } } as const;
  return tx.charge.findFirst({ where, select: { id: true }, orderBy: { id: 'desc' } });
}

export function recordInvoicesDue(
  uow: UnitOfWork<Service>,
  subscriptions: readonly LockedSubscription[],
  { actor, now }: InvoiceDueContext,
): void {
  const events = subscriptions.map(({ subscription, openInvoice }) => ({
    merchantId: subscription.merchantId,
    mode: subscription.mode,
    type: 'subscription_invoice_due' as const,
    objectId: openInvoice!.id,
    objectVersion: openInvoice!.version,
    payload: {
      ...toInvoiceView(uow, openInvoice!, subscription),
      notifyPayload: subscription.notifyPayload ?? undefined,
    },
    actor,
    now,
  }));
  recordEvents(uow, events);
}
