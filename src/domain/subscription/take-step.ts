import type { Merchant, Subscription } from '../../../prisma/client/client.ts';
import type { Tx } from '../../kit/db.ts';
import type { MessageInput } from '../../message/enqueue-message.ts';
import { noticeInvoice } from '../invoice/notice-invoice.ts';
import { type Opening, openInvoices } from '../invoice/open-invoices.ts';
import { serviceOf } from '../service.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { type InvoiceOccasion, mailOfInvoice } from './mail-invoice.ts';
import type { Quoter } from './quote-renewals.ts';
import { pauseSubscription, renewalActor } from './settle-subscription-charge.ts';
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

/** Opens the invoices that are due, under their subscriptions' locks, and answers where these stand then. */
export async function openDueInvoices(
  tx: Tx,
  queue: readonly LockedSubscription[],
  batch: Batch,
): Promise<LockedSubscription[]> {
  const openings: Opening[] = [];
  for (const locked of queue) {
    const merchant = merchantOf(locked, batch);
    const quote = await batch.quoter(locked, merchant);
    openings.push({ locked, merchant, quote, number: batch.takeNumber(locked.subscription) });
  }
  const opened = await openInvoices(tx, openings, { actor: renewalActor, now: batch.now });
  for (const locked of opened) mail(tx, locked, { occasion: 'due', batch });
  return opened;
}

/** Does what is due for one subscription, under its lock, and answers where it stands then. */
export async function takeStep(
  tx: Tx,
  { locked, step }: { locked: LockedSubscription; step: Step },
  batch: Batch,
): Promise<LockedSubscription> {
  if (step.kind === 'invoice') return notice(tx, locked, batch);
  if (step.kind === 'remind') return remind(tx, locked, batch);
  mail(tx, locked, { occasion: 'paused', batch });
  return pauseSubscription(tx, locked, batch.now);
}

/** The customer has opened it, to pay ahead. */
async function notice(tx: Tx, locked: LockedSubscription, batch: Batch): Promise<LockedSubscription> {
  const quote = await batch.quoter(locked, merchantOf(locked, batch));
  const noticed = await noticeInvoice(tx, locked, { quote, actor: renewalActor, now: batch.now });
  mail(tx, noticed, { occasion: 'due', batch });
  return noticed;
}

function merchantOf({ subscription }: LockedSubscription, { merchants }: Batch): Merchant {
  return merchants.get(subscription.merchantId)!;
}

async function remind(tx: Tx, locked: LockedSubscription, batch: Batch): Promise<LockedSubscription> {
  const { now } = batch;
  mail(tx, locked, { occasion: 'reminder', batch });
  const openInvoice = await tx.invoice.update({
    where: { id: locked.openInvoice!.id },
    data: { remindedAt: now },
  });
  return transitionSubscription(tx, { ...locked, openInvoice }, { now, actor: renewalActor, message: null });
}

function mail(
  tx: Tx,
  locked: LockedSubscription,
  { occasion, batch }: { occasion: InvoiceOccasion; batch: Batch },
): void {
  const merchant = merchantOf(locked, batch);
  const times = { today: batch.now, now: batch.machineNow };
  const message = mailOfInvoice(serviceOf(tx), locked, { occasion, merchant, ...times });
  if (message) batch.mails.push(message);
}
