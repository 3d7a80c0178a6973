import type { Charge, Invoice, Merchant, Mode, Prisma } from '../../../prisma/client/client.ts';
import { recordEvent } from '../../event/record-event.ts';
import type { Tx } from '../../kit/db.ts';
import { newId } from '../../kit/id.ts';
import type { PreparedCharge } from '../charge/charge-terms.ts';
import { insertCharge } from '../charge/open-charge.ts';
import { serviceOf } from '../service.ts';
import type { LockedSubscription } from '../subscription/lock-subscription.ts';
import { recurringMoney } from '../subscription/terms.ts';
import { transitionSubscription } from '../subscription/transition-subscription.ts';
import { invoiceObject } from './invoice-object.ts';

export type OpenedInvoice = { invoice: Invoice; charge: Charge | null; locked: LockedSubscription };

/**
 * Asks for the next payment of a subscription: the invoice with its number, its charge and `subscription_invoice_due`,
 * in the caller's transaction. `prepare` is told the invoice's id; null where no method can take the payment just now:
 * then the customer chooses one on the invoice's page. What the document says of merchant and plan is kept with it.
 */
export async function openInvoice(
  tx: Tx,
  locked: LockedSubscription,
  options: {
    prepare: (invoiceId: string) => PreparedCharge | null;
    number: number;
    merchant: Merchant;
    now: Date;
    actor: string;
  },
): Promise<OpenedInvoice> {
  const { subscription, plan } = locked;
  const { merchant, now, actor } = options;
  const { id: subscriptionId, merchantId, mode, customerId, nextPayment: dueOn } = subscription;
  if (dueOn === null) throw new Error(`nothing is due for the subscription ${subscriptionId}`);
  const id = newId('invoice', now);
  const prepared = options.prepare(id);
  const chargeId = prepared ? newId('charge', now) : null;
  const { minor: amount, currency } = recurringMoney(plan);
  const invoice = await tx.invoice.create({
    data: {
      ...{ id, merchantId, mode, subscriptionId, number: options.number, amount, currency, chargeId, dueOn },
      merchantName: merchant.name,
      merchantAddress: merchant.postalAddress,
      planName: plan.name,
      orders: plan.orders as Prisma.InputJsonArray,
      version: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  const charge = prepared
    ? await insertCharge(tx, prepared, { id: chargeId!, customerId, actor, now })
    : null;
  await recordEvent(tx, {
    merchantId,
    mode,
    message: 'subscription_invoice_due',
    objectId: id,
    objectVersion: invoice.version,
    payload: invoiceObject(serviceOf(tx), invoice, subscription),
    actor,
    now,
  });
  const opened = { ...locked, openInvoice: invoice };
  return {
    invoice,
    charge,
    locked: await transitionSubscription(tx, opened, { now, actor, message: null }),
  };
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
