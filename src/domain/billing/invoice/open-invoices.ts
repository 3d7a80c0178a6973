import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import type { RenewalQuote } from '../subscription/create-renewal-pricer.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { toInvoiceChargeTerms } from '../subscription/subscription-charge-terms.ts';
import { recurringMoney } from '../subscription/terms.ts';
import { transitionSubscriptions } from '../subscription/transition-subscription.ts';
import { recordInvoicesDue } from './announce-invoice-due.ts';

export type NewInvoice = {
  locked: LockedSubscription;
  merchant: Merchant;
  /** From the merchant's number series. */
  number: number;
  /** Null if no method can accept the payment now; the customer then chooses one on the invoice's page. */
  quote: RenewalQuote | null;
};

/**
 * Requests the next payment of subscriptions: inserts numbered invoices and charges and records
 * `subscription_invoice_due`. Runs in the caller's transaction in a few statements.
 */
export async function openInvoices(
  uow: UnitOfWork<Service>,
  newInvoices: readonly NewInvoice[],
  change: { actor: string; now: MerchantTime },
): Promise<LockedSubscription[]> {
  const { now } = change;
  const openedInvoices = newInvoices.map((newInvoice) => {
    const chargeId = newInvoice.quote && newId('charge', now);
    const openInvoice = toInvoiceRow(newInvoice, { chargeId, dueNotifiedAt: now, now });
    return { ...newInvoice, locked: { ...newInvoice.locked, openInvoice } };
  });
  await insertInvoices(
    uow.tx,
    openedInvoices.map(({ locked }) => locked.openInvoice),
  );
  const charges = openedInvoices.flatMap(({ locked, quote }) => {
    const { openInvoice, subscription } = locked;
    if (!quote) return [];
    const prepared = { ...quote, terms: toInvoiceChargeTerms(locked, openInvoice) };
    return [{ prepared, id: openInvoice.chargeId!, customerId: subscription.customerId }];
  });
  const insertedIds = new Set((await insertCharges(uow, charges, change)).map(({ id }) => id));
  const missingIds = new Set(charges.map(({ id }) => id).filter((id) => !insertedIds.has(id)));
  const subscriptions = await detachMissingCharges(
    uow.tx,
    openedInvoices.map(({ locked }) => locked),
    missingIds,
  );
  await recordInvoicesDue(uow, subscriptions, change);
  return transitionSubscriptions(uow, subscriptions, { ...change, eventType: null });
}

/**
 * Clears `chargeId` of invoices whose charge could not be created; the customer chooses a method on the
 * invoice's page.
 */
async function detachMissingCharges<Locked extends LockedSubscription & { openInvoice: Invoice }>(
  tx: Tx,
  subscriptions: readonly Locked[],
  missingIds: ReadonlySet<string>,
): Promise<Locked[]> {
  if (missingIds.size === 0) return [...subscriptions];
  const isMissingCharge = ({ openInvoice }: Locked) => missingIds.has(openInvoice.chargeId ?? '');
  const ids = subscriptions.filter(isMissingCharge).map(({ openInvoice }) => openInvoice.id);
  await tx.invoice.updateMany({ where: { id: { in: ids } }, data: { chargeId: null } });
  return subscriptions.map((locked) =>
    isMissingCharge(locked) ? { ...locked, openInvoice: { ...locked.openInvoice, chargeId: null } } : locked,
  );
}

/**
 * Builds an invoice row. Copies merchant and plan details, so that later changes do not alter the document.
 */
export function toInvoiceRow(
  { locked, number, merchant }: Omit<NewInvoice, 'quote'>,
  { chargeId, dueNotifiedAt, now }: Pick<Invoice, 'chargeId' | 'dueNotifiedAt'> & { now: MerchantTime },
): Invoice {
  const { id: subscriptionId, merchantId, mode, nextPayment: dueOn } = locked.subscription;
  if (dueOn === null) throw new Error(`no payment is due for the subscription ${subscriptionId}`);
  const { minor: amount, currency } = recurringMoney(locked.plan);
  return {
    id: newId('invoice', now),
    ...{ merchantId, mode, subscriptionId, number, amount, currency, chargeId, dueOn, dueNotifiedAt },
    merchantName: merchant.name,
    merchantAddress: merchant.postalAddress,
    planName: locked.plan.name,
    orders: locked.plan.orders,
    status: 'open',
    remindedAt: null,
    paidAt: null,
    linkVersion: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export async function insertInvoices(tx: Tx, invoices: readonly Invoice[]): Promise<void> {
  await insertRows(tx, 'invoice', invoices);
}
