import type { Invoice, Merchant } from '../../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { newId } from '../../../kit/id.ts';
import { insertRows } from '../../../kit/insert-rows.ts';
import { insertCharges } from '../../payments/charge/insert-charges.ts';
import type { Service } from '../../platform/service.ts';
import { invoiceChargeTerms } from '../subscription/charge-terms-of.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import type { RenewalQuote } from '../subscription/quote-renewals.ts';
import { recurringMoney } from '../subscription/terms.ts';
import { transitionTogether } from '../subscription/transition-subscription.ts';
import { recordInvoicesDue } from './notice-invoice.ts';

export type Opening = {
  locked: LockedSubscription;
  merchant: Merchant;
  /** In the merchant's series. */
  number: number;
  /** Null where no method can take the payment just now: then the customer chooses one on the invoice's page. */
  quote: RenewalQuote | null;
};

/**
 * Asks for the next payment of subscriptions: the invoices with their numbers, their charges and
 * `subscription_invoice_due`, in the caller's transaction and in a few statements.
 */
export async function openInvoices(
  uow: UnitOfWork<Service>,
  openings: readonly Opening[],
  change: { actor: string; now: MerchantTime },
): Promise<LockedSubscription[]> {
  const { now } = change;
  const opened = openings.map((opening) => {
    const chargeId = opening.quote && newId('charge', now);
    const openInvoice = invoiceRow(opening, { chargeId, noticedAt: now, now });
    return { ...opening, locked: { ...opening.locked, openInvoice } };
  });
  await insertInvoices(
    uow.tx,
    opened.map(({ locked }) => locked.openInvoice),
  );
  const charges = opened.flatMap(({ locked, quote }) => {
    const { openInvoice, subscription } = locked;
    if (!quote) return [];
    const prepared = { ...quote, terms: invoiceChargeTerms(locked, openInvoice) };
    return [{ prepared, id: openInvoice.chargeId!, customerId: subscription.customerId }];
  });
  const inserted = new Set((await insertCharges(uow, charges, change)).map(({ id }) => id));
  const missing = new Set(charges.map(({ id }) => id).filter((id) => !inserted.has(id)));
  const asked = await withoutCharges(
    uow.tx,
    opened.map(({ locked }) => locked),
    missing,
  );
  await recordInvoicesDue(uow, asked, change);
  return transitionTogether(uow, asked, { ...change, message: null });
}

/** An invoice whose charge could not be created has none: its customer chooses a method on its page. */
async function withoutCharges<Locked extends LockedSubscription & { openInvoice: Invoice }>(
  tx: Tx,
  opened: readonly Locked[],
  missing: ReadonlySet<string>,
): Promise<Locked[]> {
  if (missing.size === 0) return [...opened];
  const isWithout = ({ openInvoice }: Locked) => missing.has(openInvoice.chargeId ?? '');
  const ids = opened.filter(isWithout).map(({ openInvoice }) => openInvoice.id);
  await tx.invoice.updateMany({ where: { id: { in: ids } }, data: { chargeId: null } });
  return opened.map((locked) =>
    isWithout(locked) ? { ...locked, openInvoice: { ...locked.openInvoice, chargeId: null } } : locked,
  );
}

/** What the document says of merchant and plan is kept with the invoice. */
export function invoiceRow(
  { locked, number, merchant }: Omit<Opening, 'quote'>,
  { chargeId, noticedAt, now }: Pick<Invoice, 'chargeId' | 'noticedAt'> & { now: MerchantTime },
): Invoice {
  const { id: subscriptionId, merchantId, mode, nextPayment: dueOn } = locked.subscription;
  if (dueOn === null) throw new Error(`no payment is due for the subscription ${subscriptionId}`);
  const { minor: amount, currency } = recurringMoney(locked.plan);
  return {
    id: newId('invoice', now),
    ...{ merchantId, mode, subscriptionId, number, amount, currency, chargeId, dueOn, noticedAt },
    merchantName: merchant.name,
    merchantAddress: merchant.postalAddress,
    planName: locked.plan.name,
    orders: locked.plan.orders,
    status: 'open',
    remindedAt: null,
    paidAt: null,
    pageGeneration: 0,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

export async function insertInvoices(tx: Tx, invoices: readonly Invoice[]): Promise<void> {
  await insertRows(tx, 'invoice', invoices);
}
