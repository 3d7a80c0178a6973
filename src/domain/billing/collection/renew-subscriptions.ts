import type { Merchant } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MerchantTime, SystemTime } from '../../../kit/clock.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { isOfEnabledMerchant } from '../../../kit/running-merchants.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import { type SweepScope, sweepScopeSql } from '../../platform/clock/for-each-clock.ts';
import type { Service } from '../../platform/service.ts';
import type { InvoiceOccasion } from '../invoice/invoice-mail-keys.ts';
import { type BillingAction, getNextAction } from '../subscription/billing-schedule.ts';
import { getBillingState, toBillingTerms } from '../subscription/billing-terms.ts';
import { buildBillingMail, buildInvoiceMail } from '../subscription/build-billing-mail.ts';
import { type LockedSubscription, readLockedSubscriptions } from '../subscription/lock-subscription.ts';
import {
  pauseSubscriptions,
  renewalActor,
  resumePausedSubscriptions,
} from '../subscription/settle-subscription-charge.ts';
import { transitionSubscriptions } from '../subscription/transition-subscription.ts';
import { announceInvoiceDue } from './announce-invoice-due.ts';
import { createInvoices, type NewInvoice } from './create-invoices.ts';
import { createRenewalPricer, type RenewalPricer } from './create-renewal-pricer.ts';
import { type GetInvoiceNumber, reserveInvoiceNumbers } from './reserve-invoice-numbers.ts';

const batchSize = 100;

/**
 * Creates due invoices, sends reminders, pauses unpaid subscriptions, and resumes those whose pause is over. The
 * next run continues with the payments of a resumed subscription. Works in batches, so that several
 * workers can run at the same time. Returns the number of actions. A failing subscription does not block the
 * others: the subscriptions of its batch are retried one at a time, and the errors are thrown at the end. The
 * subscriptions of a disabled merchant wait until it is enabled, because its customers cannot pay.
 */
export async function renewSubscriptions(
  service: Service,
  scope: SweepScope,
  signal?: AbortSignal,
): Promise<number> {
  const failureMessage = 'some subscriptions could not be renewed';
  return processDue({ batchSize, failureMessage, signal }, (dueBatch) =>
    transact(service, (uow) => renewBatch(uow, { scope, dueBatch })),
  );
}

/**
 * Applies the due actions of the most overdue subscriptions. Their events are published in the order of due
 * time. Skips subscriptions that another worker has locked. Returns the number of actions.
 */
async function renewBatch(
  uow: UnitOfWork<Service>,
  { scope, dueBatch }: { scope: SweepScope; dueBatch: DueBatch },
): Promise<number> {
  const { limit, excludedIds, onLocked } = dueBatch;
  const due = await uow.tx.$queryRaw<{ id: string; dueAt: Date }[]>`
    SELECT id, due_at AS "dueAt" FROM subscription WHERE due_at <= ${scope.now} AND ${sweepScopeSql(scope)}
      AND ${isOfEnabledMerchant} AND id <> ALL(${[...excludedIds]}::text[])
    ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const ids = due.map(({ id }) => id);
  onLocked(ids);
  if (due.length === 0) return 0;
  // A subscription may have several due actions. If the batch is full, only those up to its last due time are
  // applied, because a subscription outside of the batch may have an action that is due before the later ones.
  const until = due.length < limit ? scope.now : due.at(-1)!.dueAt;
  const targets = await readLockedSubscriptions(uow.tx, ids);
  const context = await createContext(uow, targets, scope);
  const eventTimes = new Map<string, number>();
  const count = await applyDueActions(uow, { targets, context, until, eventTimes });
  uow.events.sort((a, b) => eventTimes.get(a.objectId)! - eventTimes.get(b.objectId)!);
  await enqueueMessages(uow, context.mails);
  return count;
}

/**
 * Applies all actions due by `until`, grouped by kind, in the order in which the kinds follow each other for
 * a subscription. Grouping loses the order of events across subscriptions, so `eventTimes` records the due
 * time by object ID, by which the caller sorts the events. Returns the number of actions.
 */
async function applyDueActions(
  uow: UnitOfWork<Service>,
  { targets, context, until, eventTimes }: RenewalOptions & { targets: LockedSubscription[] },
): Promise<number> {
  let [current, count] = [targets, 0];
  for (const kind of actionKinds) {
    const due = current
      .flatMap(getNextActions)
      .filter(({ action, target }) => getActionKind(target, action) === kind && action.at <= until)
      .sort(compareByTime);
    if (due.length === 0) continue;
    const dueTargets = due.map(({ target }) => target);
    const updated = await applyActions(uow, kind, dueTargets, context);
    const updates = new Map(dueTargets.map((target, i) => [target, updated[i]!]));
    for (const { target, action } of due) {
      const { subscription, openInvoice } = updates.get(target)!;
      const objectIds =
        kind === 'pause' || kind === 'resume' ? [subscription.id] : [openInvoice!.id, openInvoice!.chargeId];
      for (const id of objectIds)
        if (id !== null && kind !== 'remind') eventTimes.set(id, action.at.getTime());
    }
    current = current.map((target) => updates.get(target) ?? target);
    count += due.length;
  }
  return count;
}

type RenewalOptions = { context: RenewalContext; until: Date; eventTimes: Map<string, number> };

async function createContext(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  { now, systemNow = new Date(now) }: SweepScope,
): Promise<RenewalContext> {
  const ids = [...new Set(targets.map(({ subscription }) => subscription.merchantId))];
  const merchants = await uow.tx.merchant.findMany({ where: { id: { in: ids } } });
  const toCreate = targets
    .flatMap(getNextActions)
    .filter(({ target, action }) => getActionKind(target, action) === 'create');
  const subscriptions = toCreate.map(({ target }) => target.subscription);
  return {
    now,
    systemNow,
    pricer: createRenewalPricer(uow, now),
    merchants: new Map(merchants.map((merchant) => [merchant.id, merchant])),
    // Reserves exactly as many numbers as invoices will be created, so that the series has no gaps.
    getInvoiceNumber: await reserveInvoiceNumbers(uow.tx, subscriptions),
    mails: [],
  };
}

type ScheduledAction = { target: LockedSubscription; action: BillingAction };

function getNextActions(target: LockedSubscription): ScheduledAction[] {
  const { subscription, plan, openInvoice } = target;
  const action = getNextAction(getBillingState(subscription), toBillingTerms(plan), openInvoice);
  return action ? [{ target, action }] : [];
}

function compareByTime(a: ScheduledAction, b: ScheduledAction): number {
  const difference = a.action.at.getTime() - b.action.at.getTime();
  return difference || (a.target.subscription.id < b.target.subscription.id ? -1 : 1);
}

type RenewalContext = {
  now: MerchantTime;
  /** The system time, at which emails are sent. */
  systemNow: SystemTime;
  pricer: RenewalPricer;
  merchants: Map<string, Merchant>;
  getInvoiceNumber: GetInvoiceNumber;
  /** The emails to be enqueued after all actions. */
  mails: MessageInput[];
};

/** Applies one kind of action to locked subscriptions and returns their new state. */
async function applyActions(
  uow: UnitOfWork<Service>,
  kind: ActionKind,
  targets: readonly LockedSubscription[],
  context: RenewalContext,
): Promise<LockedSubscription[]> {
  if (kind === 'create') return createDueInvoices(uow, targets, context);
  if (kind === 'announce') return announceDueInvoices(uow, targets, context);
  if (kind === 'remind') return sendReminders(uow, targets, context);
  if (kind === 'resume') {
    const resumedTargets = await resumePausedSubscriptions(uow, targets, context.now);
    for (const target of resumedTargets) collectMail(uow, target, { occasion: 'resumed', context });
    return resumedTargets;
  }
  for (const target of targets) collectMail(uow, target, { occasion: 'paused', context });
  return pauseSubscriptions(uow, targets, context.now);
}

/**
 * The kinds in the order in which they occur for a subscription. `announce` replaces `create` if the invoice
 * was created early, because the customer pays ahead. `resume` is last, because a resumed subscription may
 * need an invoice whose number was not reserved.
 */
const actionKinds = ['create', 'announce', 'remind', 'pause', 'resume'] as const;
type ActionKind = (typeof actionKinds)[number];

function getActionKind({ openInvoice }: LockedSubscription, { kind }: BillingAction): ActionKind {
  if (kind !== 'invoice') return kind;
  return openInvoice ? 'announce' : 'create';
}

async function createDueInvoices(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  context: RenewalContext,
): Promise<LockedSubscription[]> {
  const newInvoices: NewInvoice[] = [];
  for (const target of targets) {
    const merchant = getMerchant(target, context);
    const quote = await context.pricer(target, merchant);
    newInvoices.push({ target, merchant, quote, number: context.getInvoiceNumber(target.subscription) });
  }
  const createdTargets = await createInvoices(uow, newInvoices, { actor: renewalActor, now: context.now });
  for (const target of createdTargets) collectMail(uow, target, { occasion: 'due', context });
  return createdTargets;
}

/** Announces invoices one at a time, because early invoices are rarely still unpaid when they fall due. */
async function announceDueInvoices(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  context: RenewalContext,
): Promise<LockedSubscription[]> {
  const announcedTargets: LockedSubscription[] = [];
  for (const target of targets) {
    const quote = await context.pricer(target, getMerchant(target, context));
    announcedTargets.push(
      await announceInvoiceDue(uow, target, { quote, actor: renewalActor, now: context.now }),
    );
  }
  for (const target of announcedTargets) collectMail(uow, target, { occasion: 'due', context });
  return announcedTargets;
}

async function sendReminders(
  uow: UnitOfWork<Service>,
  targets: readonly LockedSubscription[],
  context: RenewalContext,
): Promise<LockedSubscription[]> {
  const { now } = context;
  const ids = targets.map(({ openInvoice }) => openInvoice!.id);
  await uow.tx.invoice.updateMany({ where: { id: { in: ids } }, data: { remindedAt: now } });
  for (const target of targets) collectMail(uow, target, { occasion: 'reminder', context });
  const remindedTargets = targets.map((target) => ({
    ...target,
    openInvoice: { ...target.openInvoice!, remindedAt: now },
  }));
  return transitionSubscriptions(uow, remindedTargets, { now, actor: renewalActor, eventType: null });
}

function getMerchant({ subscription }: LockedSubscription, { merchants }: RenewalContext): Merchant {
  return merchants.get(subscription.merchantId)!;
}

function collectMail(
  uow: UnitOfWork<Service>,
  target: LockedSubscription,
  { occasion, context }: { occasion: InvoiceOccasion | 'resumed'; context: RenewalContext },
): void {
  const options = { ...context, merchant: getMerchant(target, context) };
  const message =
    occasion === 'resumed'
      ? buildBillingMail(uow, target, { ...options, notice: occasion })
      : buildInvoiceMail(uow, target, { ...options, occasion });
  if (message) context.mails.push(message);
}
