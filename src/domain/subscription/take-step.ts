import type { Merchant, Subscription } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import type { MessageInput } from '../../message/enqueue-message.ts';
import type { InvoiceMailKind } from '../../message/mails/invoice-mail.ts';
import type { MethodCode } from '../../method/catalogue.ts';
import { openInvoice } from '../invoice/open-invoice.ts';
import { serviceOf } from '../service.ts';
import { addDays } from './calendar.ts';
import { chargeTermsOf } from './charge-terms-of.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { mailOfInvoice } from './mail-invoice.ts';
import type { Quoter } from './quote-renewals.ts';
import { pauseSubscription, renewalActor } from './settle-subscription-charge.ts';
import { recurringMoney } from './terms.ts';
import type { Step } from './timeline.ts';
import { transitionSubscription } from './transition-subscription.ts';

/** What the steps of a batch are taken with. */
export type Batch = {
  now: Date;
  /** When its mails are sent. */
  machineNow: Date;
  quoter: Quoter;
  merchants: Map<string, Merchant>;
  takeNumber: TakeNumber;
  /** What is to be mailed of the steps taken. */
  mails: MessageInput[];
};
/** The next number of the merchant's series of invoices. */
export type TakeNumber = (subscription: Subscription) => number;

/** Does what is due for one subscription, under its lock, and answers where it stands then. */
export async function takeStep(
  tx: Tx,
  { locked, step }: { locked: LockedSubscription; step: Step },
  batch: Batch,
): Promise<LockedSubscription> {
  if (step.kind === 'invoice') return invoice(tx, locked, batch);
  if (step.kind === 'remind') return remind(tx, locked, batch);
  mail(tx, locked, { kind: 'paused', batch });
  return pauseSubscription(tx, locked, batch.now);
}

/** The charge stays payable until the days of grace are over. */
async function invoice(tx: Tx, locked: LockedSubscription, batch: Batch): Promise<LockedSubscription> {
  const { subscription, plan } = locked;
  const { now } = batch;
  const merchant = batch.merchants.get(subscription.merchantId)!;
  const quote = await batch.quoter(locked, merchant);
  const payableUntil = addDays(subscription.nextPayment!, plan.gracePeriod);
  const method = subscription.method as MethodCode;
  const opened = await openInvoice(tx, locked, {
    number: batch.takeNumber(subscription),
    merchant,
    now,
    actor: renewalActor,
    prepare: (invoiceId) =>
      quote && {
        ...quote,
        terms: chargeTermsOf(locked, { money: recurringMoney(plan), method, invoiceId, payableUntil }),
      },
  });
  mail(tx, opened.locked, { kind: 'due', batch });
  return opened.locked;
}

async function remind(tx: Tx, locked: LockedSubscription, batch: Batch): Promise<LockedSubscription> {
  const { now } = batch;
  mail(tx, locked, { kind: 'reminder', batch });
  const openInvoice = await tx.invoice.update({
    where: { id: locked.openInvoice!.id },
    data: { remindedAt: now },
  });
  return transitionSubscription(tx, { ...locked, openInvoice }, { now, actor: renewalActor, message: null });
}

function mail(
  tx: Tx,
  locked: LockedSubscription,
  { kind, batch }: { kind: InvoiceMailKind; batch: Batch },
): void {
  const merchant = batch.merchants.get(locked.subscription.merchantId)!;
  const message = mailOfInvoice(serviceOf(tx), locked, { kind, merchant, now: batch.machineNow });
  if (message) batch.mails.push(message);
}
