import type { Invoice, Merchant, Mode, Prisma } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import { insertCharge } from '../charge/open-charge.ts';
import { invoiceChargeTerms } from '../subscription/charge-terms-of.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import type { RenewalQuote } from '../subscription/quote-renewals.ts';
import { recurringMoney } from '../subscription/terms.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { tellOfInvoice } from './notice-invoice.ts';

type Opening = { number: number; merchant: Merchant; now: Date; actor: string };

/**
 * Asks for the next payment of a subscription: the invoice with its number, its charge and `subscription_invoice_due`,
 * in the caller's transaction. `quote` is null where no method can take the payment just now: then the customer chooses one
 * on the invoice's page. What the document says of merchant and plan is kept with it.
 */
export async function openInvoice(
  tx: Tx,
  locked: LockedSubscription,
  options: Opening & { quote: RenewalQuote | null },
): Promise<LockedSubscription> {
  const { quote, now, actor } = options;
  const { customerId } = locked.subscription;
  const chargeId = quote && newId('charge', now);
  const openInvoice = await insertInvoice(tx, locked, { ...options, chargeId, noticedAt: now });
  if (quote) {
    const terms = invoiceChargeTerms(locked, openInvoice);
    await insertCharge(tx, { ...quote, terms }, { id: chargeId!, customerId, actor, now });
  }
  return tellOfInvoice(tx, { ...locked, openInvoice }, { actor, now });
}

/**
 * Opens the next invoice for a customer who pays before it is due. Nobody is told: paid, there is nothing to tell, and not paid,
 * it is told of when any other would be. Its charge comes with the payment.
 */
export async function openInvoiceEarly(
  tx: Tx,
  locked: LockedSubscription,
  options: Opening,
): Promise<LockedSubscription> {
  const { actor, now } = options;
  const openInvoice = await insertInvoice(tx, locked, { ...options, chargeId: null, noticedAt: null });
  return transitionSubscription(tx, { ...locked, openInvoice }, { now, actor, message: null });
}

async function insertInvoice(
  tx: Tx,
  { subscription, plan }: LockedSubscription,
  { number, merchant, chargeId, noticedAt, now }: Opening & Pick<Invoice, 'chargeId' | 'noticedAt'>,
): Promise<Invoice> {
  const { id: subscriptionId, merchantId, mode, nextPayment: dueOn } = subscription;
  if (dueOn === null) throw new Error(`nothing is due for the subscription ${subscriptionId}`);
  const { minor: amount, currency } = recurringMoney(plan);
  return tx.invoice.create({
    data: {
      id: newId('invoice', now),
      ...{ merchantId, mode, subscriptionId, number, amount, currency, chargeId, dueOn, noticedAt },
      merchantName: merchant.name,
      merchantAddress: merchant.postalAddress,
      planName: plan.name,
      orders: plan.orders as Prisma.InputJsonArray,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
}

/** The next numbers of the merchant's series, without gaps; the series is held until the transaction ends. */
export async function takeInvoiceNumbers(
  tx: Tx,
  { merchantId, mode }: { merchantId: string; mode: Mode },
  count: number,
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ last: number }[]>`
    INSERT INTO invoice_counter AS counter (merchant_id, mode, last) VALUES (${merchantId}, ${mode}::mode, ${count})
    ON CONFLICT (merchant_id, mode) DO UPDATE SET last = counter.last + ${count} RETURNING last`;
  const first = rows[0]!.last - count + 1;
  return Array.from({ length: count }, (_, i) => first + i);
}
