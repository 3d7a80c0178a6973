import type { Invoice } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import { enqueueMessages } from '../../../message/enqueue-message.ts';
import type { Service } from '../../platform/service.ts';
import { type BillingChange, recordBillingChange } from '../subscription/billing-change.ts';
import { buildInvoiceMail } from '../subscription/build-billing-mail.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { applyDueChanges } from '../subscription/settle-subscription-charge.ts';
import { skipNextPeriod } from '../subscription/skip-payment.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { voidOpenInvoice } from '../subscription/void-open-invoice.ts';
import { createInvoiceEarly, createInvoices } from './create-invoices.ts';
import { createRenewalPricer } from './create-renewal-pricer.ts';
import { lockOpenInvoice, type OpenInvoiceTarget } from './lock-open-invoice.ts';
import { reserveNumbersInSeries } from './reserve-invoice-numbers.ts';

/**
 * Voids an open invoice and cancels its charges. With `isReissued`, an invoice with the current terms and a
 * new number replaces it, and is announced if the voided one was. Otherwise the payment is no longer requested, and
 * the customer gets an email. An active subscription then continues with the next period; one that is paused after a
 * missed payment stays paused. Returns the voided invoice. Throws `invoice_not_found` or `invoice_not_open`.
 */
export async function voidInvoice(
  service: Service,
  options: BillingChange & { isReissued: boolean },
): Promise<Invoice> {
  const { id, isReissued } = options;
  return transact(service, async (uow) => {
    const { pendingCharges, openInvoice, ...locked } = await lockOpenInvoice(uow, options);
    const current = await applyDueChanges(uow, { ...locked, openInvoice }, options.now);
    const target = { ...current, openInvoice, pendingCharges };
    const { subscription } = target;
    const change = { ...options, action: 'invoice.voided' } as const;
    if (isReissued) {
      const reissued = await reissueInvoice(uow, target, options);
      const replacedById = reissued.openInvoice!.id;
      await uow.tx.invoice.update({ where: { id }, data: { replacedById } });
      await recordBillingChange(uow, reissued, { ...change, detail: { replacedBy: replacedById } });
    } else {
      const notice = subscription.status === 'active' ? 'skipped' : 'voided';
      const skipOrVoid = notice === 'skipped' ? skipNextPeriod : voidWithoutNext;
      const voided = await skipOrVoid(uow, target, options);
      await recordBillingChange(uow, voided, { ...change, notice, invoiceNumber: openInvoice.number });
    }
    return uow.tx.invoice.findUniqueOrThrow({ where: { id } });
  });
}

async function voidWithoutNext(
  uow: UnitOfWork<Service>,
  target: OpenInvoiceTarget,
  options: BillingChange,
): Promise<LockedSubscription> {
  const { now, actor } = options;
  const voided = await voidOpenInvoice(uow, target, options);
  return transitionSubscription(uow, voided, { now, actor, eventType: 'subscription_updated' });
}

async function reissueInvoice(
  uow: UnitOfWork<Service>,
  openTarget: OpenInvoiceTarget,
  options: BillingChange,
): Promise<LockedSubscription> {
  const { now, actor, audit } = options;
  const target = await voidOpenInvoice(uow, openTarget, options);
  const { subscription } = target;
  const merchant = await uow.tx.merchant.findUniqueOrThrow({ where: { id: subscription.merchantId } });
  // The renewal job announces it when it is due. Of a paused subscription, it would not.
  if (openTarget.openInvoice.dueNotifiedAt === null && subscription.status === 'active')
    return createInvoiceEarly(uow, target, { merchant, actor, now });
  const quote = await createRenewalPricer(uow, now)(target, merchant);
  const [number] = await reserveNumbersInSeries(uow.tx, subscription, 1);
  const [created] = await createInvoices(uow, [{ target, merchant, quote, number: number! }], { actor, now });
  const mailOptions = { occasion: 'due', merchant, now, systemNow: audit.now } as const;
  const mail = buildInvoiceMail(uow, created!, mailOptions);
  if (mail) await enqueueMessages(uow, [mail]);
  return created!;
}
