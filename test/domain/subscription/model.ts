import type {
  BillingTerms,
  CompletedPayment,
} from '../../../src/domain/billing/subscription/billing-schedule.ts';
import type { Interval } from '../../../src/domain/billing/subscription/calendar.ts';

/**
 * The rules of subscriptions said a second time and otherwise: not step by step from the date before, but each date from
 * the start of the run of payments it belongs to, on a calendar of its own.
 */
export function modelAfter(plan: BillingTerms, payments: CompletedPayment[]) {
  let paid = 0;
  let until: number | null = null;
  /** The run: where its first recurring interval begins, and how many have been paid since. */
  let run = { start: 0, anchor: 0, periods: 0 };
  let done = false;
  // The lower first price is taken for whatever comes first, and for nothing else.
  const counted = payments.filter(({ isIntroductory }, i) => i === 0 || !isIntroductory);
  for (const { at: payment } of counted) {
    if (done) break;
    const at = payment.getTime();
    paid++;
    const isPaused = until !== null && at >= until + plan.graceDays * 86_400_000;
    if (until === null) {
      const anchor = payment.getUTCDate();
      const start = shift(at, plan.initial, 1, anchor);
      run = { start, anchor: plan.initial.unit === 'days' ? dayIn(start) : anchor, periods: 0 };
    } else if (isPaused) {
      run = { start: at, anchor: payment.getUTCDate(), periods: 1 };
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
  const { year, month, msOfDay } = parts(from);
  const months = year * 12 + month + times * count * (unit === 'years' ? 12 : 1);
  const target = { year: Math.floor(months / 12), month: months % 12 };
  return fromParts({ ...target, day: Math.min(anchor, lengthOf(target)), msOfDay });
}

function dayIn(time: number): number {
  return parts(time).day;
}

function lengthOf({ year, month }: { year: number; month: number }): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]!;
}

/** Counts days from 1970 through years and months, without Date. */
function parts(time: number) {
  let days = Math.floor(time / 86_400_000);
  const msOfDay = time - days * 86_400_000;
  let [year, month] = [1970, 0];
  while (days >= lengthOf({ year, month })) {
    days -= lengthOf({ year, month });
    month = (month + 1) % 12;
    if (month === 0) year++;
  }
  return { year, month, day: days + 1, msOfDay };
}

function fromParts(date: { year: number; month: number; day: number; msOfDay: number }): number {
  let days = date.day - 1;
  for (let year = 1970; year <= date.year; year++) {
    for (let month = 0; month < (year === date.year ? date.month : 12); month++)
      days += lengthOf({ year, month });
  }
  return days * 86_400_000 + date.msOfDay;
}
