import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import { getDisplayName } from '../../../kit/brand.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import { getNextPeriodEnd } from '../subscription/billing-schedule.ts';
import {
  getBillingState,
  getRenewalOrders,
  getRenewalPrice,
  toBillingTerms,
} from '../subscription/billing-terms.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { toInvoiceChargeTerms } from '../subscription/subscription-charge-terms.ts';
import { transitionSubscription, transitionSubscriptions } from '../subscription/transition-subscription.ts';
import { recordInvoicesDue } from './announce-invoice-due.ts';
import type { RenewalQuote } from './create-renewal-pricer.ts';
import { reserveNumbersInSeries } from './reserve-invoice-numbers.ts';

export type NewInvoice = {
  target: LockedSubscription;
  merchant: Merchant;
  /** A reserved number of the merchant's series. */
  number: number;
  /**
   * Null if the subscription's method cannot accept the payment now; the customer then chooses a method on
   * the invoice's page.
   */
  quote: RenewalQuote | null;
};

/**
 * Requests the next payment of subscriptions: inserts numbered invoices and charges, and records
 * `subscription_invoice_due`. Runs in the caller's transaction, with a few statements.
 */
export async function createInvoices(
  uow: UnitOfWork<Service>,
  newInvoices: readonly NewInvoice[],
  change: { actor: string; now: MerchantTime },
): Promise<LockedSubscription[]> {
  const { now } = change;
  const openedInvoices = newInvoices.map((newInvoice) => {
    const chargeId = newInvoice.quote && newId('charge', now);
    const openInvoice = toInvoiceRow(newInvoice, { chargeId, dueNotifiedAt: now, now });
    return { ...newInvoice, target: { ...newInvoice.target, openInvoice } };
  });
  await insertInvoices(
    uow.tx,
    openedInvoices.map(({ target }) => target.openInvoice),
  );
  const charges = openedInvoices.flatMap(({ target, quote }) => {
    const { openInvoice, subscription } = target;
    if (!quote) return [];
    const preparedCharge = { ...quote, terms: toInvoiceChargeTerms(target, openInvoice) };
    return [{ preparedCharge, id: openInvoice.chargeId!, customerId: subscription.customerId }];
  });
  const insertedIds = new Set((await insertCharges(uow, charges, change)).map(({ id }) => id));
  const missingIds = new Set(charges.map(({ id }) => id).filter((id) => !insertedIds.has(id)));
  const subscriptions = await detachMissingCharges(
    uow.tx,
    openedInvoices.map(({ target }) => target),
    missingIds,
  );
  recordInvoicesDue(uow, subscriptions, change);
  return transitionSubscriptions(uow, subscriptions, { ...change, eventType: null });
}

/** Clears `chargeId` of the invoices whose charge could not be created. */
async function detachMissingCharges<Target extends LockedSubscription & { openInvoice: Invoice }>(
  tx: Tx,
  subscriptions: readonly Target[],
  missingIds: ReadonlySet<string>,
): Promise<Target[]> {
  if (missingIds.size === 0) return [...subscriptions];
  const isMissingCharge = ({ openInvoice }: Target) => missingIds.has(openInvoice.chargeId ?? '');
  const ids = subscriptions.filter(isMissingCharge).map(({ openInvoice }) => openInvoice.id);
  await tx.invoice.updateMany({ where: { id: { in: ids } }, data: { chargeId: null } });
  return subscriptions.map((target) =>
    isMissingCharge(target) ? { ...target, openInvoice: { ...target.openInvoice, chargeId: null } } : target,
  );
}

/**
 * Returns a new invoice row. Copies merchant and plan details, so that later changes do not alter the
 * invoice.
 */
function toInvoiceRow(
  { target, number, merchant }: Omit<NewInvoice, 'quote'>,
  { chargeId, dueNotifiedAt, now }: Pick<Invoice, 'chargeId' | 'dueNotifiedAt'> & { now: MerchantTime },
): Invoice {
  const { subscription, plan } = target;
  const { id: subscriptionId, merchantId, mode, nextPayment: dueAt } = subscription;
  if (dueAt === null) throw new Error(`no payment is due for the subscription ${subscriptionId}`);
  const { total: amount, tax: taxAmount } = getRenewalPrice(target);
  const { currency, taxName, taxRate, taxInclusive, period, count } = plan;
  const { recurring } = toBillingTerms(plan);
  return {
    id: newId('invoice', now),
    merchantId,
    mode,
    subscriptionId,
    number,
    amount,
    currency,
    chargeId,
    dueAt,
    dueNotifiedAt,
    taxAmount,
    taxName,
    taxRate,
    taxInclusive,
    period,
    count,
    periodStart: dueAt,
    periodEnd: getNextPeriodEnd(getBillingState(subscription), recurring),
    merchantName: getDisplayName(merchant),
    merchantAddress: merchant.postalAddress,
    merchantTaxNumber: merchant.taxNumber,
    planName: plan.name,
    orders: getRenewalOrders(target),
    status: 'open',
    remindedAt: null,
    resentAt: null,
    voidedAt: null,
    replacedById: null,
    paidExternally: false,
    paidAt: null,
    linkVersion: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

async function insertInvoices(tx: Tx, invoices: readonly Invoice[]): Promise<void> {
  await insertRows(tx, 'invoice', invoices);
}

/**
 * Creates the next invoice, without a charge, for a customer who pays ahead or to replace such an invoice. Sends no
 * notification, because an invoice that is paid early needs none. If the invoice is not paid, it is announced on
 * the day on which it would otherwise have been created.
 */
export async function createInvoiceEarly(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { merchant, actor, now }: { merchant: Merchant; actor: string; now: MerchantTime },
): Promise<LockedSubscription> {
  const [number] = await reserveNumbersInSeries(uow.tx, target.subscription, 1);
  const newInvoice = { target, merchant, number: number! };
  const openInvoice = toInvoiceRow(newInvoice, { chargeId: null, dueNotifiedAt: null, now });
  await insertInvoices(uow.tx, [openInvoice]);
  return transitionSubscription(uow, { ...target, openInvoice }, { now, actor, eventType: null });
}
