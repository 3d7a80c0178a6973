import type { Invoice } from '../../../../prisma/client/client.ts';
import { recordEvents } from '../../../event/record-event.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import { invoiceChargeTerms } from '../subscription/charge-terms-of.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import type { RenewalQuote } from '../subscription/quote-renewals.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { invoiceObject } from './invoice-object.ts';

type Change = { actor: string; now: MerchantTime };

/**
 * Tells of an invoice that was opened early and not paid, now that it is due: with the charge by which the customer is
 * about to pay it, else a new one; none where no method can take it just now. The subscription is locked.
 */
export async function noticeInvoice(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { quote, actor, now }: Change & { quote: RenewalQuote | null },
): Promise<LockedSubscription> {
  const invoice = { ...locked.openInvoice!, noticedAt: now };
  const payable = await findPayable(uow.tx, invoice, now);
  const { customerId } = locked.subscription;
  const prepared = quote && { ...quote, terms: invoiceChargeTerms(locked, invoice) };
  const inserted =
    payable || !prepared ? [] : await insertCharges(uow, [{ prepared, customerId }], { actor, now });
  const charge = payable ?? inserted[0];
  const openInvoice = await uow.tx.invoice.update({
    where: { id: invoice.id },
    data: { noticedAt: now, chargeId: charge?.id ?? null, version: { increment: 1 }, updatedAt: now },
  });
  const asked = { ...locked, openInvoice };
  await recordInvoicesDue(uow, [asked], { actor, now });
  return transitionSubscription(uow, asked, { now, actor, message: null });
}

/**
 * Charges are locked before subscriptions, so this looks without a lock: one that completes meanwhile closes the
 * invoice.
 */
function findPayable(tx: Tx, { id: invoiceId }: Invoice, now: MerchantTime): Promise<{ id: string } | null> {
  const where = { invoiceId, status: 'pending', expiresAt: { gte: now } } as const;
  return tx.charge.findFirst({ where, select: { id: true }, orderBy: { id: 'desc' } });
}

/** `subscription_invoice_due` of the open invoices. */
export async function recordInvoicesDue(
  uow: UnitOfWork<Service>,
  asked: readonly LockedSubscription[],
  { actor, now }: Change,
): Promise<void> {
  const events = asked.map(({ subscription, openInvoice }) => ({
    merchantId: subscription.merchantId,
    mode: subscription.mode,
    message: 'subscription_invoice_due' as const,
    objectId: openInvoice!.id,
    objectVersion: openInvoice!.version,
    payload: invoiceObject(uow, openInvoice!, subscription),
    actor,
    now,
  }));
  recordEvents(uow, events);
}
