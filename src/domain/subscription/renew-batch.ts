import type { Subscription } from '../../../prisma/client/client.ts';
import type { UnitOfWork } from '../../event/unit-of-work.ts';
import type {} from '../../kit/clock.ts';
import type { Tx } from '../../kit/db.ts';
import type { DueBatch } from '../../kit/process-due.ts';
import { enqueueMessages } from '../../message/enqueue-message.ts';
import { takeInvoiceNumbers } from '../invoice/take-invoice-numbers.ts';
import type { Service } from '../service.ts';
import { inSweep, type SweepTime } from '../test-clock/sweep-clocks.ts';
import { type LockedSubscription, readLocked } from './lock-subscription.ts';
import { createQuoter } from './quote-renewals.ts';
import { type Batch, kindOf, stepKinds, type TakeNumber, takeSteps } from './take-steps.ts';
import { standingOf, termsOf } from './terms.ts';
import { nextStep, type Step } from './timeline.ts';

/**
 * Takes the steps that are due of the subscriptions longest due, in the order of their times, under locks that other
 * workers pass over. Returns how many steps.
 */
export async function renewBatch(
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
    if (number === undefined) throw new Error('more invoices were made than numbers reserved');
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
