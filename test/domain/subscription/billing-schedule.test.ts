import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, vi } from 'vitest';
import type { Charge, PeriodUnit, Prisma, Subscription } from '../../../prisma/client/client.ts';
import type { NewMerchant } from '../../../src/domain/accounts/merchant/create-merchant.ts';
import { paySubscription } from '../../../src/domain/billing/collection/pay-subscription.ts';
import { renewSubscriptions } from '../../../src/domain/billing/collection/renew-subscriptions.ts';
import {
  applyCancellation,
  applyFreeStart,
  applyPause,
  applyPayment,
  type BillingState,
  type BillingTerms,
  type CompletedPayment,
  getNextAction,
  initialBillingState,
  isOverdue,
  type OpenInvoiceState,
} from '../../../src/domain/billing/subscription/billing-schedule.ts';
import type { Interval } from '../../../src/domain/billing/subscription/calendar.ts';
import { cancelSubscription } from '../../../src/domain/billing/subscription/cancel-subscription.ts';
import { subscriptionTransitions } from '../../../src/domain/billing/subscription/subscription-state.ts';
import { checkInvariants } from '../../../src/domain/operations/check/check-invariants.ts';
import { toChargeEvents } from '../../../src/domain/payments/charge/charge-events.ts';
import type { Service } from '../../../src/domain/platform/service.ts';
import { recordEvents } from '../../../src/event/record-event.ts';
import { transact } from '../../../src/event/unit-of-work.ts';
import { dayMs } from '../../../src/kit/duration.ts';
import { newId } from '../../../src/kit/id.ts';
import { newPaymentReference } from '../../../src/method/payment-reference.ts';
import { count } from '../../setup/counts.ts';
import { getErrorCode } from '../../setup/errors.ts';
import { serviceTest as test } from '../../setup/fixtures.ts';
import { seedMerchant } from '../../setup/seed.ts';
import { completeCharge, readSubscription, seedPlan, seedSubscription } from '../../setup/subscriptions.ts';

const timelines = readTimelines();
const titled = (texts: string[]) =>
  texts.map((text): [title: string, text: string] => [text.slice(2, text.indexOf('\n')), text]);

describe('Timeline', () => {
  test('exists for at least forty cases', () => {
    expect(timelines.length).toBeGreaterThanOrEqual(40);
  });

  test.for(titled(timelines))('has the documented outcome: %s', ([, text]) => {
    expect(playTimeline(text)).toBe(text);
  });

  test.each(['America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'])(
    'has the same outcome on a machine in %s',
    (zone) => {
      vi.stubEnv('TZ', zone);
      try {
        expect(new Date('2026-07-01T12:00:00.000Z').getHours()).not.toBe(12);
        expect(timelines.map(playTimeline)).toEqual(timelines);
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );
});

const units: PeriodUnit[] = ['days', 'months', 'years'];
const interval = fc.record({ unit: fc.constantFrom(...units), count: fc.integer({ min: 1, max: 14 }) });
const terms: fc.Arbitrary<BillingTerms> = fc.record({
  recurring: interval,
  initial: interval,
  numPayments: fc.option(fc.integer({ min: 1, max: 12 })),
  invoiceNoticeDays: fc.integer({ min: 0, max: 20 }),
  graceDays: fc.integer({ min: 0, max: 10 }),
});
const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
/** Days from each payment to the next; sometimes immediately, sometimes after years. */
const gaps = fc.array(fc.oneof(fc.nat(3), fc.nat(60), fc.nat(800)), { maxLength: 12 });
const toTimes = (first: Date, days: number[]) =>
  [0, ...days].map((_, i) => {
    const passed = days.slice(0, i).reduce((sum, gap) => sum + gap, 0);
    return new Date(first.getTime() + passed * dayMs);
  });
const toPayment = (at: Date): CompletedPayment => ({ at, isIntroductory: false });
/** Whether each payment is at a lower first price. */
const introductory = fc.infiniteStream(fc.boolean());

const options = { numRuns: count(500, 20_000) };

describe('Billing schedule', () => {
  test('has the same state as a simple model after any payments', () => {
    fc.assert(
      fc.property(terms, start, gaps, introductory, (plan, first, days, flags) => {
        const payments = toTimes(first, days).map((at) => ({ at, isIntroductory: flags.next().value }));
        let state: BillingState = initialBillingState;
        for (const payment of payments) {
          if (!applyPayment(state, plan, payment)) continue;
          if (isOverdue(state, plan, payment.at)) state = applyPause(state);
          state = applyPayment(state, plan, payment)!;
        }
        const { status, numPaymentsComplete, activeUntil, nextPayment } = state;
        expect({ status, numPaymentsComplete, activeUntil, nextPayment }).toEqual(
          computeByModel(plan, payments),
        );
      }),
      options,
    );
  });

  test('invoices, reminds and pauses once each, in this order, at the times of the plan', () => {
    fc.assert(
      fc.property(terms, start, gaps, (plan, first, days) => {
        let state: BillingState = initialBillingState;
        for (const paidAt of toTimes(first, days)) {
          if (isOverdue(state, plan, paidAt)) state = applyPause(state);
          state = applyPayment(state, plan, toPayment(paidAt)) ?? state;
          const actions = listActions(state, plan);
          if (state.status === 'completed') {
            expect(actions).toEqual([]);
            return;
          }
          const due = state.nextPayment!.getTime();
          expect(actions).toEqual([
            ['invoice', Math.max(due - plan.invoiceNoticeDays * dayMs, paidAt.getTime())],
            ['remind', Math.max(due, paidAt.getTime())],
            ['pause', due + plan.graceDays * dayMs],
          ]);
        }
      }),
      options,
    );
  });

  test('can be paid ahead until the end of the year 9997, with dates that can be formatted', () => {
    const recurring = { unit: 'years' as const, count: 400 };
    const plan = { recurring, initial: recurring, numPayments: null, invoiceNoticeDays: 400, graceDays: 400 };
    const paidAt = new Date('2026-11-21T12:00:00Z');
    let state: BillingState = initialBillingState;
    for (let payment = 1; payment <= 25; payment++) {
      state = applyPayment(state, plan, toPayment(paidAt))!;
      for (const [, time] of listActions(state, plan))
        expect(new Date(time!).toISOString()).toMatch(/^\d{4}-/);
    }
    expect(state).toMatchObject({
      numPaymentsComplete: 25,
      activeUntil: new Date('9998-01-01T00:00:00Z'),
    });
  });

  test('keeps the day of the month in each month that has it', () => {
    fc.assert(
      fc.property(
        start,
        fc.integer({ min: 1, max: 14 }),
        fc.integer({ min: 2, max: 12 }),
        (first, months, times) => {
          const recurring = { unit: 'months' as const, count: months };
          const plan = {
            recurring,
            initial: recurring,
            numPayments: null,
            invoiceNoticeDays: 2,
            graceDays: 1,
          };
          let state: BillingState = initialBillingState;
          for (let i = 0; i < times; i++) state = applyPayment(state, plan, toPayment(first))!;
          const until = state.activeUntil!;
          const nextDay = new Date(until.getTime() + dayMs);
          const isKept = until.getUTCDate() === first.getUTCDate();
          const isLastOfShortMonth = until.getUTCDate() < first.getUTCDate() && nextDay.getUTCDate() === 1;
          expect(isKept || isLastOfShortMonth).toBe(true);
        },
      ),
      options,
    );
  });
});

describe('Timeline on the service', () => {
  // Every sixth in `npm test`, all in the long run.
  const played = timelines.filter((_, i) => i % count(6, 1) === 0);

  test.for(titled(played))('has the documented outcome: %s', async ([, text], { service }) => {
    const merchant = await seedMerchant(service, {}, new Date('2026-01-01T00:00:00.000Z'));
    expect(await playOnService(service, merchant, text)).toBe(text);
    const broken = (await checkInvariants(service)).map(({ name }) => name);
    // A played subscription has no next action any more.
    expect(broken.filter((name) => name !== 'subscription_next_action_scheduled')).toEqual([]);
  });
});

/** The automatic actions until the next payment. */
function listActions(from: BillingState, plan: BillingTerms): [string, number][] {
  const actions: [string, number][] = [];
  let state = from;
  let invoice: OpenInvoiceState | null = null;
  for (;;) {
    const next = getNextAction(state, plan, invoice);
    if (!next) return actions;
    actions.push([next.kind, next.at.getTime()]);
    if (next.kind === 'invoice') invoice = { dueNotifiedAt: next.at, remindedAt: null };
    else if (next.kind === 'remind') invoice = { ...invoice!, remindedAt: next.at };
    else state = applyPause(state);
  }
}

/** The timelines, each with its title after `#` in its first line. */
function readTimelines(): string[] {
  const text = readFileSync(join(import.meta.dirname, 'timelines.txt'), 'utf8');
  return text.split('\n\n').map((timeline) => timeline.trim());
}

/**
 * Reads a timeline. Lines with a date and `>` are actions; the others are their outcomes. A plan is written
 * as `plan 1 months; initial 14 days; of 3; notice 2; grace 1; free`, where all but the first part are
 * optional. With `cheap` or `dear` instead of `free`, the first payment is lower or higher than the others.
 * Actions are `enrol`, `pay` (which enrols first if necessary), `repay` an earlier charge of the first
 * payment, `open` the next invoice to pay ahead and leave it, `cancel`, and `look`.
 */
function readTimeline(text: string) {
  const lines = text
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const plan = lines.find((line) => line.startsWith('plan '));
  if (!plan) throw new Error('A timeline needs a plan');
  const head = lines.filter((line) => line.startsWith('#') || line.startsWith('plan '));
  const actions = lines.flatMap((line) => {
    const [, date, action] = /^(\S+) > (\w+)$/.exec(line) ?? [];
    return date && action ? [{ at: readDate(date), action, line }] : [];
  });
  const price = (['free', 'cheap', 'dear'] as const).find((name) => plan.includes(`; ${name}`));
  return { head, terms: readTerms(plan), price, actions };
}

/** Plays a timeline on the billing schedule, without a database. */
function playTimeline(text: string): string {
  const { head, terms, price, actions } = readTimeline(text);
  const player = createPlayer(terms, price);
  for (const { at, action, line } of actions) player.act(at, action, line);
  return [...head, ...player.log].join('\n');
}

/** The price of the first payment, if it differs from the others. */
type FirstPrice = 'free' | 'cheap' | 'dear' | undefined;

function createPlayer(terms: BillingTerms, price: FirstPrice) {
  const log: string[] = [];
  let state: BillingState = initialBillingState;
  let invoice: OpenInvoiceState | null = null;
  const write = (time: Date, outcome: string) => log.push(`${writeDate(time)} ${outcome}`);

  const runUntil = (until: Date) => {
    for (;;) {
      const next = getNextAction(state, terms, invoice);
      if (!next || next.at > until) return;
      if (next.kind === 'invoice') {
        invoice = { dueNotifiedAt: next.at, remindedAt: null };
        write(next.at, `invoice due ${writeDate(state.nextPayment!)}`);
      } else if (next.kind === 'remind') {
        invoice = { ...invoice!, remindedAt: next.at };
        write(next.at, 'reminder');
      } else {
        state = applyPause(state);
        write(next.at, 'paused');
      }
    }
  };

  const pay = (paidAt: Date, isFirst: boolean) => {
    const payment = { at: paidAt, isIntroductory: isFirst && price === 'cheap' };
    if (!applyPayment(state, terms, payment)) return write(paidAt, 'surplus');
    if (isOverdue(state, terms, paidAt)) state = applyPause(state);
    const after = applyPayment(state, terms, payment)!;
    state = after;
    invoice = null;
    const until = `active until ${writeDate(state.activeUntil!)}`;
    const ending = state.nextPayment ? '' : ', completed';
    return write(paidAt, `paid ${state.numPaymentsComplete}: ${until}${ending}`);
  };

  const act = (time: Date, action: string, line: string) => {
    runUntil(time);
    log.push(line);
    if (action === 'pay') pay(time, state.activeUntil === null);
    else if (action === 'repay') pay(time, true);
    else if (action === 'open') invoice ??= { dueNotifiedAt: null, remindedAt: null };
    else if (action === 'cancel') {
      if (!subscriptionTransitions[state.status].includes('cancelled'))
        return write(time, 'rejected: it has ended');
      state = applyCancellation(state);
      invoice = null;
      write(time, 'cancelled');
    } else if (action === 'enrol') {
      if (price !== 'free') return;
      state = applyFreeStart(terms, time);
      write(time, `started: active until ${writeDate(state.activeUntil!)}`);
    } else if (action !== 'look') throw new Error(`unknown action: ${action}`);
    runUntil(time);
  };
  return { log, act };
}

function readTerms(plan: string): BillingTerms {
  const interval = (name: string) => {
    const [, count, unit] = new RegExp(`${name} (\\d+) (days|months|years)`).exec(plan) ?? [];
    return unit ? { unit: unit as PeriodUnit, count: Number(count) } : undefined;
  };
  const number = (name: string) => {
    const [, digits] = new RegExp(`; ${name} (\\d+)`).exec(plan) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const recurring = interval('plan')!;
  return {
    recurring,
    initial: interval('initial') ?? recurring,
    numPayments: number('of') ?? null,
    invoiceNoticeDays: number('notice') ?? 2,
    graceDays: number('grace') ?? 1,
  };
}

/** `2026-01-31` is noon; another time of day follows as `T08:30`. */
function readDate(text: string): Date {
  return new Date(`${text.includes('T') ? text : `${text}T12:00`}:00.000Z`);
}

function writeDate(time: Date): string {
  return time.toISOString().slice(0, 16).replace('T12:00', '');
}

/**
 * A second implementation of the billing rules. Computes each date from the start of its run of payments instead of the
 * date before, on a calendar of its own.
 */
function computeByModel(plan: BillingTerms, payments: CompletedPayment[]) {
  let paid = 0;
  let until: number | null = null;
  /** The start of the first recurring interval, and the intervals paid since. */
  let run = { start: 0, anchor: 0, periods: 0 };
  let done = false;
  // The lower first price is accepted for the first payment only.
  const accepted = payments.filter(({ isIntroductory }, i) => i === 0 || !isIntroductory);
  for (const { at: payment } of accepted) {
    if (done) break;
    const paidAtMs = payment.getTime();
    paid++;
    const isPaused = until !== null && paidAtMs >= until + plan.graceDays * 86_400_000;
    if (until === null) {
      const anchor = payment.getUTCDate();
      const start = shift(paidAtMs, plan.initial, 1, anchor);
      run = { start, anchor: plan.initial.unit === 'days' ? getDayOfMonth(start) : anchor, periods: 0 };
    } else if (isPaused) {
      run = { start: paidAtMs, anchor: payment.getUTCDate(), periods: 1 };
    } else {
      run = { ...run, periods: run.periods + 1 };
    }
    until = shift(run.start, plan.recurring, run.periods, run.anchor);
    done = plan.numPayments !== null && paid >= plan.numPayments;
  }
  const activeUntil = until === null ? null : new Date(until);
  return {
    status: done ? 'completed' : 'active',
    numPaymentsComplete: paid,
    activeUntil,
    nextPayment: done ? null : activeUntil,
  };
}

function shift(from: number, { unit, count }: Interval, times: number, anchor: number): number {
  if (times === 0) return from;
  if (unit === 'days') return from + times * count * 86_400_000;
  const { year, month, msOfDay } = toParts(from);
  const months = year * 12 + month + times * count * (unit === 'years' ? 12 : 1);
  const target = { year: Math.floor(months / 12), month: months % 12 };
  return toTimestamp({ ...target, day: Math.min(anchor, getMonthLength(target)), msOfDay });
}

function getDayOfMonth(time: number): number {
  return toParts(time).day;
}

function getMonthLength({ year, month }: { year: number; month: number }): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]!;
}

/** Counts days from 1970 through years and months, without Date. */
function toParts(time: number) {
  let days = Math.floor(time / 86_400_000);
  const msOfDay = time - days * 86_400_000;
  let [year, month] = [1970, 0];
  while (days >= getMonthLength({ year, month })) {
    days -= getMonthLength({ year, month });
    month = (month + 1) % 12;
    if (month === 0) year++;
  }
  return { year, month, day: days + 1, msOfDay };
}

function toTimestamp(date: { year: number; month: number; day: number; msOfDay: number }): number {
  let days = date.day - 1;
  for (let year = 1970; year <= date.year; year++) {
    for (let month = 0; month < (year === date.year ? date.month : 12); month++)
      days += getMonthLength({ year, month });
  }
  return days * 86_400_000 + date.msOfDay;
}

/**
 * Plays a timeline on the service and its database, with plans, enrolments, completed charges and renewals when the
 * subscription is due. Reads the outcomes from rows and events.
 */
async function playOnService(service: Service, merchant: NewMerchant, text: string): Promise<string> {
  const { head, terms, price, actions } = readTimeline(text);
  const log: string[] = [];
  let id: string | undefined;
  let eventCount = 0;
  let reminded = new Set<string>();
  const toOptions = (now: Date) => ({
    ...{ merchantId: merchant.merchant.id, mode: 'sandbox' as const, id: id!, actor: 'customer', now },
  });

  const writeOutcomes = async (time: Date): Promise<void> => {
    const { lines, count } = await readEvents(service, id!, eventCount);
    const invoices = await service.prisma.invoice.findMany({
      where: { subscriptionId: id!, remindedAt: { not: null } },
    });
    const isNew = invoices.some((invoice) => !reminded.has(invoice.id));
    if (isNew) lines.splice(lines.findLastIndex((line) => line.startsWith('invoice')) + 1, 0, 'reminder');
    log.push(...lines.map((line) => `${writeDate(time)} ${line}`));
    eventCount = count;
    reminded = new Set(invoices.map((invoice) => invoice.id));
  };
  const runUntil = async (until: Date): Promise<void> => {
    for (;;) {
      const dueAt = id === undefined ? null : (await readSubscription(service, id)).dueAt;
      if (!dueAt || dueAt > until) return;
      await renewSubscriptions(service, { now: dueAt, onlyMerchantId: merchant.merchant.id });
      await writeOutcomes(dueAt);
    }
  };
  const enrolAt = async (now: Date): Promise<void> => {
    const plan = await seedPlan(service, merchant, { mode: 'sandbox', input: planInput(terms, price), now });
    const email = `${plan.id}@example.com`;
    id = (await seedSubscription(service, merchant, { plan, email, now })).subscription.id;
  };
  const act = async (time: Date, action: string): Promise<void> => {
    if (id === undefined) await enrolAt(time);
    if (action === 'pay' || action === 'repay') {
      const isSurplus = await payAt(service, toOptions(time), action);
      if (isSurplus) log.push(`${writeDate(time)} surplus`);
    } else if (action === 'open') await paySubscription(service, toOptions(time));
    else if (action === 'cancel') {
      const code = await cancelSubscription(service, toOptions(time)).then(() => undefined, getErrorCode);
      if (code === 'subscription_ended') log.push(`${writeDate(time)} rejected: it has ended`);
    }
  };
  for (const { at, action, line } of actions) {
    await runUntil(at);
    log.push(line);
    await act(at, action);
    await writeOutcomes(at);
    await runUntil(at);
  }
  await service.prisma.subscription.updateMany({ where: { id: id! }, data: { dueAt: null } });
  return [...head, ...log].join('\n');
}

const firstAmounts = { free: 0, cheap: 1, dear: 250 };

function planInput(terms: BillingTerms, price: FirstPrice) {
  const { recurring, initial, numPayments, invoiceNoticeDays, graceDays } = terms;
  const hasInitial = initial !== recurring;
  return {
    recurringPayment: { amount: 100, period: recurring.unit, count: recurring.count },
    ...((hasInitial || price) && {
      initialPayment: {
        ...(price && { amount: firstAmounts[price] }),
        ...(hasInitial && { period: initial.unit, count: initial.count }),
      },
    }),
    numPayments,
    invoiceNotice: invoiceNoticeDays,
    gracePeriod: graceDays,
  };
}

type PaymentOptions = Parameters<typeof paySubscription>[1];

/**
 * Pays the next charge, or `repay`s the first one. Also pays a leftover first charge when the subscription has ended.
 * Returns whether the payment changed nothing.
 */
async function payAt(service: Service, options: PaymentOptions, action: 'pay' | 'repay'): Promise<boolean> {
  const { status, version } = await readSubscription(service, options.id);
  const hasEnded = status === 'completed' || status === 'cancelled';
  const isRequested = action === 'pay' && !hasEnded;
  const charge = isRequested
    ? await paySubscription(service, options)
    : await seedLeftoverCharge(service, options);
  await completeCharge(service, charge, options.now);
  return !isRequested && (await readSubscription(service, options.id)).version === version;
}

async function seedLeftoverCharge(service: Service, { id, now }: PaymentOptions): Promise<Charge> {
  const paid = await service.prisma.charge.findFirstOrThrow({
    where: { subscriptionId: id },
    // The first invoice may be created in the same millisecond as the first charge, which has none.
    orderBy: [{ invoiceId: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
  });
  const data = {
    ...paid,
    id: newId('charge', now),
    paymentReference: newPaymentReference(),
    status: 'pending',
    completedAt: null,
    version: 1,
  };
  return transact(service, async (uow) => {
    const charge = await uow.tx.charge.create({ data: data as Prisma.ChargeUncheckedCreateInput });
    recordEvents(uow, toChargeEvents(charge, ['charge_created'], { now, actor: 'customer' }));
    return charge;
  });
}

/** The events of the subscription and its invoices after the first `skipped` ones. */
async function readEvents(service: Service, id: string, skipped: number) {
  const invoices = await service.prisma.invoice.findMany({ where: { subscriptionId: id } });
  const events = await service.prisma.event.findMany({
    where: { objectId: { in: [id, ...invoices.map((invoice) => invoice.id)] } },
    orderBy: { id: 'asc' },
  });
  const lines: string[] = [];
  for (const { type, payload } of events.slice(skipped)) {
    const object = JSON.parse(payload) as { invoiceDueOn: string } & Subscription;
    const until = () => writeDate(new Date(object.activeUntil!));
    if (type === 'subscription_invoice_due') {
      lines.push(`invoice due ${writeDate(new Date(object.invoiceDueOn))}`);
    } else if (type === 'subscription_paused') lines.push('paused');
    else if (type === 'subscription_cancelled') lines.push('cancelled');
    else if (type === 'subscription_completed') lines.push(`${lines.pop()}, completed`);
    else if (type === 'subscription_paid') {
      const { numPaymentsComplete: paid } = object;
      lines.push(paid === 0 ? `started: active until ${until()}` : `paid ${paid}: active until ${until()}`);
    }
  }
  return { lines, count: events.length };
}
