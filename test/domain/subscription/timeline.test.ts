import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { PeriodUnit } from '../../../prisma/client/client.ts';
import {
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
import { dayMs } from '../../../src/kit/duration.ts';
import { count } from '../../setup/counts.ts';
import { modelAfter } from './model.ts';
import { playTimeline, readTimelines } from './simulate.ts';

const timelines = readTimelines();

describe('the worked timelines', () => {
  test('are at least forty', () => {
    expect(timelines.length).toBeGreaterThanOrEqual(40);
  });

  test.each(timelines.map((text) => [text.slice(2, text.indexOf('\n')), text]))('%s', (_title, text) => {
    expect(playTimeline(text)).toBe(text);
  });

  test.each(['America/New_York', 'Asia/Kathmandu', 'Pacific/Apia'])(
    'are the same on a machine in %s',
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
/** Days from each payment to the next; sometimes at once, sometimes after years. */
const gaps = fc.array(fc.oneof(fc.nat(3), fc.nat(60), fc.nat(800)), { maxLength: 12 });
const timesFrom = (first: Date, days: number[]) =>
  [0, ...days].map((_, i) => {
    const passed = days.slice(0, i).reduce((sum, gap) => sum + gap, 0);
    return new Date(first.getTime() + passed * dayMs);
  });
/** Paid as it is asked for, and at one price. */
const usual = (at: Date): CompletedPayment => ({ at, isIntroductory: false });
/** Which of the payments are at a lower first price. */
const cheapOnes = fc.infiniteStream(fc.boolean());

const runs = { numRuns: count(500, 20_000) };

describe('the engine', () => {
  test('leads where a small model of its own leads, over any payments', () => {
    fc.assert(
      fc.property(terms, start, gaps, cheapOnes, (plan, first, days, cheap) => {
        const payments = timesFrom(first, days).map((at) => ({ at, isIntroductory: cheap.next().value }));
        let standing: BillingState = initialBillingState;
        for (const payment of payments) {
          if (!applyPayment(standing, plan, payment)) continue;
          if (isOverdue(standing, plan, payment.at)) standing = applyPause(standing);
          standing = applyPayment(standing, plan, payment)!;
        }
        const { status, numPaymentsComplete, activeUntil, nextPayment } = standing;
        expect({ status, numPaymentsComplete, activeUntil, nextPayment }).toEqual(modelAfter(plan, payments));
      }),
      runs,
    );
  });

  test('asks, reminds and pauses once each, in this order, and at the times the plan says', () => {
    fc.assert(
      fc.property(terms, start, gaps, (plan, first, days) => {
        let standing: BillingState = initialBillingState;
        for (const at of timesFrom(first, days)) {
          if (isOverdue(standing, plan, at)) standing = applyPause(standing);
          standing = applyPayment(standing, plan, usual(at)) ?? standing;
          const steps = stepsOf(standing, plan);
          if (standing.status === 'completed') {
            expect(steps).toEqual([]);
            return;
          }
          const due = standing.nextPayment!.getTime();
          expect(steps).toEqual([
            ['invoice', Math.max(due - plan.invoiceNoticeDays * dayMs, at.getTime())],
            ['remind', Math.max(due, at.getTime())],
            ['pause', due + plan.graceDays * dayMs],
          ]);
        }
      }),
      runs,
    );
  });

  test('pays ahead to the end of the year 9997, and no further: its dates can be written', () => {
    const recurring = { unit: 'years' as const, count: 400 };
    const plan = { recurring, initial: recurring, numPayments: null, invoiceNoticeDays: 400, graceDays: 400 };
    const at = new Date('2026-11-21T12:00:00Z');
    let standing: BillingState = initialBillingState;
    for (let payment = 1; payment <= 25; payment++) {
      standing = applyPayment(standing, plan, usual(at))!;
      for (const [, time] of stepsOf(standing, plan))
        expect(new Date(time!).toISOString()).toMatch(/^\d{4}-/);
    }
    expect(standing).toMatchObject({
      numPaymentsComplete: 25,
      activeUntil: new Date('9998-01-01T00:00:00Z'),
    });
  });

  test('keeps the day of the month wherever the month has it', () => {
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
          let standing: BillingState = initialBillingState;
          for (let i = 0; i < times; i++) standing = applyPayment(standing, plan, usual(first))!;
          const until = standing.activeUntil!;
          const nextDay = new Date(until.getTime() + dayMs);
          const isKept = until.getUTCDate() === first.getUTCDate();
          const isLastOfShortMonth = until.getUTCDate() < first.getUTCDate() && nextDay.getUTCDate() === 1;
          expect(isKept || isLastOfShortMonth).toBe(true);
        },
      ),
      runs,
    );
  });
});

/** All that happens by itself until somebody pays. */
function stepsOf(from: BillingState, plan: BillingTerms): [string, number][] {
  const steps: [string, number][] = [];
  let standing = from;
  let invoice: OpenInvoiceState | null = null;
  for (;;) {
    const step = getNextAction(standing, plan, invoice);
    if (!step) return steps;
    steps.push([step.kind, step.at.getTime()]);
    if (step.kind === 'invoice') invoice = { dueNotifiedAt: step.at, remindedAt: null };
    else if (step.kind === 'remind') invoice = { ...invoice!, remindedAt: step.at };
    else standing = applyPause(standing);
  }
}
