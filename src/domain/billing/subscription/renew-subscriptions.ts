import type { Merchant, Subscription } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import { type SweepScope, sweepScopeSql } from '../../platform/clock/for-each-clock.ts';
import type { Service } from '../../platform/service.ts';
import { announceInvoiceDue } from '../invoice/announce-invoice-due.ts';
import { type NewInvoice, openInvoices } from '../invoice/open-invoices.ts';
import { takeInvoiceNumbers } from '../invoice/take-invoice-numbers.ts';
import { type BillingAction, getNextAction } from './billing-schedule.ts';
import { buildInvoiceMail, type InvoiceOccasion } from './build-invoice-mail.ts';
import { createRenewalPricer, type RenewalPricer } from './create-renewal-pricer.ts';
import { type LockedSubscription, readLockedSubscriptions } from './lock-subscription.ts';
import { pauseSubscriptions, renewalActor } from './settle-subscription-charge.ts';
import { getBillingState, toTerms } from './terms.ts';
import { transitionSubscriptions } from './transition-subscription.ts';

const batchSize = 100;

/**
 * Creates due invoices, sends reminders and pauses unpaid subscriptions, in order of due time. Works in
 * batches that several workers may share. Returns the number of actions. A failing subscription does not
 * block the others: its batch is retried one by one, and the errors are thrown at the end.
 */
export async function renewSubscriptions(
  service: Service,
  time: SweepScope,
  signal?: AbortSignal,
): Promise<number> {
  const failureMessage = 'some subscriptions could not be renewed';
  return processDue({ batchSize, failureMessage, signal }, (dueBatch) =>
    transact(service, (uow) => renewBatch(uow, { time, dueBatch })),
  );
}

/**
 * Applies the due actions of the longest-due subscriptions, in order of due time. Skips subscriptions that
 * another worker has locked. Returns the number of actions.
 */
async function renewBatch(
  uow: UnitOfWork<Service>,
  { time, dueBatch }: { time: SweepScope; dueBatch: DueBatch },
): Promise<number> {
  const { limit, excludedIds, onLocked } = dueBatch;
  const due = await uow.tx.$queryRaw<{ id: string; dueAt: Date }[]>`
    SELECT id, due_at AS "dueAt" FROM subscription WHERE due_at <= ${time.now} AND ${sweepScopeSql(time)}
      AND id <> ALL(${[...excludedIds]}::text[])
    ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  onLocked(ids);
  if (due.length === 0) return 0;
  // In a full batch, actions after its last due time wait: subscriptions outside the batch may be due before
  // them.
  const until = due.length < limit ? time.now : due.at(-1)!.dueAt;
  const queue = await readLockedSubscriptions(uow.tx, ids);
  const batch = await prepareBatch(uow, queue, time);
  const eventTimes = new Map<string, number>();
  const count = await applyDueActions(uow, { queue, batch, until, eventTimes });
  uow.events.sort((a, b) => eventTimes.get(a.objectId)! - eventTimes.get(b.objectId)!);
  await enqueueMessages(uow, batch.mails);
  return count;
}

/**
 * Applies all actions due by `until`, one kind at a time, in the order in which they occur for one
 * subscription. Different subscriptions only share the order of their events. To restore it, `eventTimes`
 * receives the due time by object ID. Returns the number of actions.
 */
async function applyDueActions(
  uow: UnitOfWork<Service>,
  { queue, batch, until, eventTimes }: RenewalRun & { queue: LockedSubscription[] },
): Promise<number> {
  let [current, count] = [queue, 0];
  for (const kind of actionKinds) {
    const due = current
      .flatMap(getDueActions)
      .filter(({ action, locked }) => getActionKind(locked, action) === kind && action.at <= until)
      .sort(compareByTime);
    if (due.length === 0) continue;
    const targets = due.map(({ locked }) => locked);
    const updated = await applyActions(uow, kind, targets, batch);
    const updates = new Map(targets.map((locked, i) => [locked, updated[i]!]));
    for (const { locked, action } of due) {
      const { subscription, openInvoice } = updates.get(locked)!;
      const objectIds = kind === 'pause' ? [subscription.id] : [openInvoice!.id, openInvoice!.chargeId];
      for (const id of objectIds)
        if (id !== null && kind !== 'remind') eventTimes.set(id, action.at.getTime());
    }
    current = current.map((locked) => updates.get(locked) ?? locked);
    count += due.length;
  }
  return count;
}

type RenewalRun = { batch: RenewalBatch; until: Date; eventTimes: Map<string, number> };

async function prepareBatch(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  { now, machineNow = new Date(now) }: SweepScope,
): Promise<RenewalBatch> {
  const ids = [...new Set(queue.map(({ subscription }) => subscription.merchantId))];
  const merchants = await uow.tx.merchant.findMany({ where: { id: { in: ids } } });
  return {
    now,
    machineNow,
    pricer: createRenewalPricer(uow, now),
    merchants: new Map(merchants.map((merchant) => [merchant.id, merchant])),
    takeNumber: await reserveNumbers(uow.tx, queue),
    mails: [],
  };
}

/** Reserves exactly as many numbers as invoices to open, so that the series has no gaps. */
async function reserveNumbers(tx: Tx, queue: readonly LockedSubscription[]): Promise<TakeNumber> {
  const toSeriesKey = ({ merchantId, mode }: Subscription) => `${merchantId} ${mode}`;
  const toOpen = queue
    .flatMap(getDueActions)
    .flatMap(({ locked, action }) => (getActionKind(locked, action) === 'open' ? [locked] : []));
  const groups = Map.groupBy(toOpen, ({ subscription }) => toSeriesKey(subscription));
  const numbers = new Map<string, number[]>();
  // A fixed order prevents deadlocks between workers.
  for (const [series, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    numbers.set(series, await takeInvoiceNumbers(tx, group[0]!.subscription, group.length));
  }
  return (subscription) => {
    const number = numbers.get(toSeriesKey(subscription))?.shift();
    if (number === undefined) throw new Error('more invoices were created than numbers reserved');
    return number;
  };
}

type DueAction = { locked: LockedSubscription; action: BillingAction };

function getDueActions(locked: LockedSubscription): DueAction[] {
  const { subscription, plan, openInvoice } = locked;
  const action = getNextAction(getBillingState(subscription), toTerms(plan), openInvoice);
  return action ? [{ locked, action }] : [];
}

function compareByTime(a: DueAction, b: DueAction): number {
  const difference = a.action.at.getTime() - b.action.at.getTime();
  return difference || (a.locked.subscription.id < b.locked.subscription.id ? -1 : 1);
}

type RenewalBatch = {
  now: MerchantTime;
  /** The system time at which mails are sent. */
  machineNow: MachineTime;
  pricer: RenewalPricer;
  merchants: Map<string, Merchant>;
  takeNumber: TakeNumber;
  /** The mails to send after all actions. */
  mails: MessageInput[];
};
type TakeNumber = (subscription: Subscription) => number;

/** Applies one kind of action to locked subscriptions and returns their updated state. */
async function applyActions(
  uow: UnitOfWork<Service>,
  kind: ActionKind,
  queue: readonly LockedSubscription[],
  batch: RenewalBatch,
): Promise<LockedSubscription[]> {
  if (kind === 'open') return openDueInvoices(uow, queue, batch);
  if (kind === 'notice') return announceEach(uow, queue, batch);
  if (kind === 'remind') return remind(uow, queue, batch);
  for (const locked of queue) queueMail(uow, locked, { occasion: 'paused', batch });
  return pauseSubscriptions(uow, queue, batch.now);
}

/**
 * In the order of one subscription's actions. `notice` replaces `open` if the customer opened the invoice
 * early.
 */
const actionKinds = ['open', 'notice', 'remind', 'pause'] as const;
type ActionKind = (typeof actionKinds)[number];

function getActionKind({ openInvoice }: LockedSubscription, { kind }: BillingAction): ActionKind {
  if (kind !== 'invoice') return kind;
  return openInvoice ? 'notice' : 'open';
}

async function openDueInvoices(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: RenewalBatch,
): Promise<LockedSubscription[]> {
  const openings: NewInvoice[] = [];
  for (const locked of queue) {
    const merchant = getMerchant(locked, batch);
    const quote = await batch.pricer(locked, merchant);
    openings.push({ locked, merchant, quote, number: batch.takeNumber(locked.subscription) });
  }
  const opened = await openInvoices(uow, openings, { actor: renewalActor, now: batch.now });
  for (const locked of opened) queueMail(uow, locked, { occasion: 'due', batch });
  return opened;
}

/** One by one, since invoices opened early are rarely left unpaid. */
async function announceEach(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: RenewalBatch,
): Promise<LockedSubscription[]> {
  const announced: LockedSubscription[] = [];
  for (const locked of queue) {
    const quote = await batch.pricer(locked, getMerchant(locked, batch));
    announced.push(await announceInvoiceDue(uow, locked, { quote, actor: renewalActor, now: batch.now }));
  }
  for (const locked of announced) queueMail(uow, locked, { occasion: 'due', batch });
  return announced;
}

async function remind(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  batch: RenewalBatch,
): Promise<LockedSubscription[]> {
  const { now } = batch;
  const ids = queue.map(({ openInvoice }) => openInvoice!.id);
  await uow.tx.invoice.updateMany({ where: { id: { in: ids } }, data: { remindedAt: now } });
  for (const locked of queue) queueMail(uow, locked, { occasion: 'reminder', batch });
  const reminded = queue.map((locked) => ({
    ...locked,
    openInvoice: { ...locked.openInvoice!, remindedAt: now },
  }));
  return transitionSubscriptions(uow, reminded, { now, actor: renewalActor, eventType: null });
}

function getMerchant({ subscription }: LockedSubscription, { merchants }: RenewalBatch): Merchant {
  return merchants.get(subscription.merchantId)!;
}

function queueMail(
  uow: UnitOfWork<Service>,
  locked: LockedSubscription,
  { occasion, batch }: { occasion: InvoiceOccasion; batch: RenewalBatch },
): void {
  const merchant = getMerchant(locked, batch);
  const { now, machineNow } = batch;
  const message = buildInvoiceMail(uow, locked, { occasion, merchant, now, machineNow });
  if (message) batch.mails.push(message);
}
