import type { Subscription } from '../../../../prisma/client/client.ts';
import { transact } from '../../../event/unit-of-work.ts';
import { withdrawMessages } from '../../../message/enqueue-message.ts';
import type { Service } from '../../platform/service.ts';
import { getInvoiceMailKeys } from '../invoice/invoice-mail-keys.ts';
import { type BillingChange, recordBillingChange } from './billing-change.ts';
import { lockSubscriptionAndCharges } from './lock-subscription.ts';

/**
 * Invalidates all links to the customer's page of a subscription and to its invoices, and emails the customer the new
 * link if the plan sends emails. Also possible after the end, because the pages still show the customer's details.
 * Withdraws unsent emails about the open invoice, because their links no longer work. Throws `subscription_not_found`.
 */
export async function replaceSubscriptionLinks(
  service: Service,
  options: BillingChange,
): Promise<Subscription> {
  const { id, now, audit } = options;
  return transact(service, async (uow) => {
    const { tx } = uow;
    const { plan, openInvoice } = await lockSubscriptionAndCharges(tx, options);
    const data = { linkVersion: { increment: 1 }, version: { increment: 1 }, updatedAt: now };
    await tx.invoice.updateMany({ where: { subscriptionId: id }, data });
    const subscription = await tx.subscription.update({ where: { id }, data });
    if (openInvoice) await withdrawMessages(tx, getInvoiceMailKeys(openInvoice), audit.now);
    await recordBillingChange(
      uow,
      { subscription, plan, openInvoice },
      { ...options, action: 'subscription.links_replaced', notice: 'linkReplaced' },
    );
    return subscription;
  });
}
