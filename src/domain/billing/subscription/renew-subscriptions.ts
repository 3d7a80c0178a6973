import type { Merchant, Subscription } from '../../../../prisma/client/client.ts';
import { transact, type UnitOfWork } from '../../../event/unit-of-work.ts';
import type { MachineTime, MerchantTime } from '../../../kit/clock.ts';
import type { Tx } from '../../../kit/db.ts';
import { type DueBatch, processDue } from '../../../kit/process-due.ts';
import { enqueueMessages, type MessageInput } from '../../../message/enqueue-message.ts';
import { inSweep, type SweepTime } from '../../platform/clock/sweep-clocks.ts';
import type { Service } from '../../platform/service.ts';
import { noticeInvoice } from '../invoice/notice-invoice.ts';
import { type Opening, openInvoices } from '../invoice/open-invoices.ts';
import { takeInvoiceNumbers } from '../invoice/take-invoice-numbers.ts';
import { type LockedSubscription, readLocked } from './lock-subscription.ts';
import { type InvoiceOccasion, mailOfInvoice } from './mail-invoice.ts';
import { createQuoter, type Quoter } from './quote-renewals.ts';
import { pauseSubscriptions, renewalActor } from './settle-subscription-charge.ts';
import { standingOf, termsOf } from './terms.ts';
import { nextStep, type Step } from './timeline.ts';
import { transitionTogether } from './transition-subscription.ts';

const batchSize = 100;

/**
 * Makes the invoices that are due, reminds of them, and pauses what was not paid, in the order of the times these were
 * due at, in batches that several workers may share; answers how many steps were taken. A subscription that cannot be
 * renewed keeps no other: its batch is done again one by one, and what failed is thrown at the end.
 */
export async function renewSubscriptions(
  service: Service,
  time: SweepTime,
  signal?: AbortSignal,
): Promise<number> {
  const failed = 'some subscriptions could not be renewed';
  return processDue({ batchSize, failed, signal }, (dueBatch) =>
    transact(service, (uow) => renewBatch(uow, { time, dueBatch })),
  );
}

/**
 * Takes the steps that are due of the subscriptions longest due, in the order of their times, under locks that other
 * workers pass over. Returns how many steps.
 */
async function renewBatch(
  uow: UnitOfWork<Service>,
  { time, dueBatch }: { time: SweepTime; dueBatch: DueBatch },
): Promise<number> {
  const { limit, except, onFound } = dueBatch;
  const due = await uow.tx.$queryRaw<{ id: string; dueAt: Date }[]>`
    SELECT id, due_at AS "dueAt" FROM subscription WHERE due_at <= ${time.now} AND ${inSweep(time)}
      AND id <> ALL(${[...except]}::text[])
    ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  const found = due.map(({ id }) => id);
  onFound(found);
  if (due.length === 0) return 0;
  // What falls due after the last of a full batch waits for those that stand between.
  const until = due.length < limit ? time.now : due.at(-1)!.dueAt;
  const queue = await readLocked(uow.tx, found);
  const batch = await prepareBatch(uow, queue, time);
  const moments = new Map<string, number>();
  const taken = await takeAll(uow, { queue, batch, until, moments });
  uow.events.sort((a, b) => moments.get(a.objectId)! - moments.get(b.objectId)!);
  await enqueueMessages(uow, batch.mails);
  return taken;
}

/**
 * Takes all steps until a time, those of one kind together: steps of different subscriptions only meet in the order of
 * their events, and those of one subscription come in this order. `moments` is told when what an event tells of was
 * due. Answers how many.
 */
async function takeAll(
  uow: UnitOfWork<Service>,
  { queue, batch, until, moments }: Plan & { queue: LockedSubscription[] },
): Promise<number> {
  let [stand, taken] = [queue, 0];
  for (const kind of stepKinds) {
    const due = stand
      .flatMap(withStep)
      .filter(({ step, locked }) => kindOf(locked, step) === kind && step.at <= until)
      .sort(byTime);
    if (due.length === 0) continue;
    const run = due.map(({ locked }) => locked);
    const moved = await takeSteps(uow, kind, run, batch);
    const after = new Map(run.map((locked, i) => [locked, moved[i]!]));
    for (const { locked, step } of due) {
      const { subscription, openInvoice } = after.get(locked)!;
      const told = kind === 'pause' ? [subscription.id] : [openInvoice!.id, openInvoice!.chargeId];
      for (const id of told) if (id !== null && kind !== 'remind') moments.set(id, step.at.getTime());
    }
    stand = stand.map((locked) => after.get(locked) ?? locked);
    taken += due.length;
  }
  return taken;
}

type Plan = { batch: Batch; until: Date; moments: Map<string, number> };

async function prepareBatch(
  uow: UnitOfWork<Service>,
  queue: readonly LockedSubscription[],
  { now, machineNow = new Date(now) }: SweepTime,
): Promise<Batch> {
  const ids = [...new Set(queue.map(({ subscription }) => subscription.merchantId))];
  const merchants = await uow.tx.merchant.findMany({ where: { id: { in: ids } } });
  return {
    now,
    machineNow,
    quoter: createQuoter(uow, now),
    merchants: new Map(merchants.map((merchant) => [merchant.id, merchant])),
    takeNumber: await reserveNumbers(uow.tx, queue),
    mails: [],
  };
}

/** As many numbers as invoices will be made, so that the series has no gaps. */
async function reserveNumbers(tx: Tx, queue: readonly LockedSubscription[]): Promise<TakeNumber> {
  const seriesOf = ({ merchantId, mode }: Subscription) => `${merchantId} ${mode}`;
  const asking = queue
    .flatMap(withStep)
    .flatMap(({ locked, step }) => (kindOf(locked, step) === 'open' ? [locked] : []));
  const groups = Map.groupBy(asking, ({ subscription }) => seriesOf(subscription));
  const numbers = new Map<string, number[]>();
  // In one order, or two workers would wait for each other.
  for (const [series, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    numbers.set(series, await takeInvoiceNumbers(tx, group[0]!.subscription, group.length));
  }
  return (subscription) => {
    const number = numbers.get(seriesOf(subscription))?.shift();
    if (number === undefined) throw new Error('more invoices were created than numbers reserved');
    return number;
  };
}

type Due = { locked: LockedSubscription; step: Step };

function withStep(locked: LockedSubscription): Due[] {
  const { subscription, plan, openInvoice } = locked;
  const step = nextStep(standingOf(subscription), termsOf(plan), openInvoice);
  return step ? [{ locked, step }] : [];
}

function byTime(a: Due, b: Due): number {
  const difference = a.step.at.getTime() - b.step.at.getTime();
  return difference || (a.locked.subscription.id < b.locked.subscription.id ? -1 : 1);
}

/** What the steps of a batch are taken with. */
type Batch = {
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
type TakeNumber = (subscription: Subscription) => number;

/** Does one and the same for subscriptions that are due, under their locks, and answers where these stand then. */
async function takeSteps(
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
const stepKinds = ['open', 'notice', 'remind', 'pause'] as const;
type StepKind = (typeof stepKinds)[number];

function kindOf({ openInvoice }: LockedSubscription, { kind }: Step): StepKind {
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
