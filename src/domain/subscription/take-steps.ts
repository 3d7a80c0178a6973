import type { Merchant, Subscription } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type { MachineTime, MerchantTime } from '../../kit/clock.ts';
import type { MessageInput } from '../../message/enqueue-message.ts';
import { noticeInvoice } from '../invoice/notice-invoice.ts';
import { type Opening, openInvoices } from '../invoice/open-invoices.ts';
import type { Service } from '../service.ts';
import type { LockedSubscription } from './lock-subscription.ts';
import { type InvoiceOccasion, mailOfInvoice } from './mail-invoice.ts';
import type { Quoter } from './quote-renewals.ts';
import { pauseSubscriptions, renewalActor } from './settle-subscription-charge.ts';
import type { Step } from './timeline.ts';
import { transitionTogether } from './transition-subscription.ts';

/** What the steps of a batch are taken with. */
export type Batch = {
  now: MerchantTime;
  /** When its mails are sent. */
  machineNow: MachineTime;
  quoter: Quoter;
  merchants: Map<string, Merchant>;
  takeNumber: TakeNumber;
  /** What is to be mailed of the steps taken. */
  mails: MessageInput[];
};
/** The next number of the merchant's series of invoices. */
export type TakeNumber = (subscription: Subscription) => number;

/** Does one and the same for subscriptions that are due, under their locks, and answers where these stand then. */
export async function takeSteps(
  uow: UnitOfWork<Service>,
  kind: StepKind,
  queue: readonly LockedSubscription[],
  batch: Batch,
): Promise<LockedSubscription[]> {
  if (kind === 'open') return open(uow, queue, batch);
  if (kind === 'notice') return noticeEach(uow, queue, batch);
  if (kind === 'remind') return remind(uow, queue, batch);
  for (const locked of queue) mail(uow, locked, { occasion: 'paused', batch });
  return pauseSubscriptions(uow, queue, batch.now);
}

/**
 * In the order in which they come for one subscription. An invoice is opened, or told of where the customer has opened
 * it.
 */
export const stepKinds = ['open', 'notice', 'remind', 'pause'] as const;
export type StepKind = (typeof stepKinds)[number];

export function kindOf({ openInvoice }: LockedSubscription, { kind }: Step): StepKind {
  if (kind !== 'invoice') return kind;
  return openInvoice ? 'notice' : 'open';
}

async function open(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: Batch,
): Promise<LockedSubscription[]> {
  const openings: Opening[] = [];
  for (const locked of queue) {
    const merchant = merchantOf(locked, batch);
    const quote = await batch.quoter(locked, merchant);
    openings.push({ locked, merchant, quote, number: batch.takeNumber(locked.subscription) });
  }
  const opened = await openInvoices(uow, openings, { actor: renewalActor, now: batch.now });
  for (const locked of opened) mail(uow, locked, { occasion: 'due', batch });
  return opened;
}

/** One by one: few customers leave what they have opened. */
async function noticeEach(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: Batch,
): Promise<LockedSubscription[]> {
  const noticed: LockedSubscription[] = [];
  for (const locked of queue) {
    const quote = await batch.quoter(locked, merchantOf(locked, batch));
    noticed.push(await noticeInvoice(uow, locked, { quote, actor: renewalActor, now: batch.now }));
  }
  for (const locked of noticed) mail(uow, locked, { occasion: 'due', batch });
  return noticed;
}

async function remind(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: Batch,
): Promise<LockedSubscription[]> {
  const { now } = batch;
  const ids = queue.map(({ openInvoice }) => openInvoice!.id);
  await uow.tx.invoice.updateMany({ where: { id: { in: ids } }, data: { remindedAt: now } });
  for (const locked of queue) mail(uow, locked, { occasion: 'reminder', batch });
  const reminded = queue.map((locked) => ({
    ...locked,
    openInvoice: { ...locked.openInvoice!, remindedAt: now },
  }));
  return transitionTogether(uow, reminded, { now, actor: renewalActor, message: null });
}

function merchantOf({ subscription }: LockedSubscription, { merchants }: Batch): Merchant {
  return merchants.get(subscription.merchantId)!;
}

function mail(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { occasion, batch }: { occasion: InvoiceOccasion; batch: Batch },
): void {
  const merchant = merchantOf(locked, batch);
  const { now, machineNow } = batch;
  const message = mailOfInvoice(uow, locked, { occasion, merchant, now, machineNow });
  if (message) batch.mails.push(message);
}
