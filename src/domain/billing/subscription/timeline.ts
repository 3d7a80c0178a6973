import type { SubscriptionStatus } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { addDays, addInterval, dayOf, type Interval } from './calendar.ts';

/** What of a plan decides when something happens. */
export type Terms = {
  recurring: Interval;
  /** Between the first and the second payment. */
  initial: Interval;
  /** Null: until cancelled. */
  numPayments: number | null;
  invoiceNoticeDays: number;
  graceDays: number;
};

/** Where a subscription stands. `activeUntil` is null until it has begun; paused is inactive with an `activeUntil`. */
export type Standing = {
  status: SubscriptionStatus;
  numPaymentsComplete: number;
  activeUntil: Date | null;
  nextPayment: Date | null;
  anchorDay: number | null;
  /** When it was last paid, or begun without payment. */
  paidAt: Date | null;
};

/** What is to be done at a time: ask for the next payment, remind of it, or pause. */
export type Step = { kind: 'invoice' | 'remind' | 'pause'; at: Date };

export const unstarted: Standing = {
  status: 'inactive',
  numPaymentsComplete: 0,
  activeUntil: null,
  nextPayment: null,
  anchorDay: null,
  paidAt: null,
};

/** That a charge completes. */
export type Payment = {
  at: Date;
  /** Of the first payment, at a price below the recurring one: it can begin a subscription, and pays for nothing else. */
  isIntroductory: boolean;
};

/**
 * Where a payment leads: the first one begins it; while active, `activeUntil` advances from where it was; after a pause,
 * from the payment, with a new anchor. Undefined for a surplus: it has ended, or is paid once more what the beginning
 * cost.
 */
export function afterPayment(standing: Standing, terms: Terms, payment: Payment): Standing | undefined {
  const { at, isIntroductory } = payment;
  if (standing.status === 'completed' || standing.status === 'cancelled') return undefined;
  if (isIntroductory && standing.activeUntil !== null) return undefined;
  const interval = standing.activeUntil === null ? terms.initial : terms.recurring;
  const advanced = advance(standing, interval, at);
  const numPaymentsComplete = standing.numPaymentsComplete + 1;
  const isFinal = terms.numPayments !== null && numPaymentsComplete >= terms.numPayments;
  return {
    ...advanced,
    numPaymentsComplete,
    paidAt: at,
    ...(isFinal && { status: 'completed', nextPayment: null }),
  };
}

/** Where a plan leads whose first payment is nothing: it begins at once, and no payment is counted. */
export function afterFreeStart(terms: Terms, at: Date): Standing {
  return { ...advance(unstarted, terms.initial, at), paidAt: at };
}

/** Nothing is paid beyond: later years, with days of grace on top, are none that a date is written with. */
const endOfTime = new Date(Date.UTC(9998, 0));

function advance(standing: Standing, interval: Interval, at: Date): Standing {
  const { status, activeUntil, anchorDay } = standing;
  const goesOn = status === 'active' && activeUntil !== null && anchorDay !== null;
  const from = goesOn ? activeUntil : at;
  const anchor = goesOn ? anchorDay : dayOf(at);
  const until = earlier(addInterval(from, interval, anchor), endOfTime);
  return {
    ...standing,
    status: 'active',
    activeUntil: until,
    nextPayment: until,
    // Days lead to any day of the month, and months go on from there.
    anchorDay: interval.unit === 'days' ? dayOf(until) : anchor,
  };
}

/** Paused: inactive, with what it was due for unchanged. */
export function afterPause(standing: Standing): Standing {
  return { ...standing, status: 'inactive' };
}

/** When the days of grace are over; null where nothing is due. */
function graceEnd(standing: Standing, terms: Terms): Date | null {
  if (standing.status !== 'active' || standing.nextPayment === null) return null;
  return addDays(standing.nextPayment, terms.graceDays);
}

/** Whether the days of grace are over, also before the job has said so. */
export function isOverdue(standing: Standing, terms: Terms, now: MerchantTime): boolean {
  const end = graceEnd(standing, terms);
  return end !== null && end <= now;
}

/** How far the open invoice has come. One opened early, to pay ahead, asks like any other when it is due. */
export type Asked = { noticedAt: Date | null; remindedAt: Date | null };

/** What comes next by itself; null when nothing does until somebody pays. */
export function nextStep(standing: Standing, terms: Terms, openInvoice: Asked | null): Step | null {
  const { nextPayment, paidAt } = standing;
  const pauseAt = graceEnd(standing, terms);
  if (nextPayment === null || pauseAt === null) return null;
  const askAt = later(addDays(nextPayment, -terms.invoiceNoticeDays), paidAt);
  if (openInvoice === null || openInvoice.noticedAt === null) return { kind: 'invoice', at: askAt };
  // Where the grace is longer than the interval, what is paid late may lead to a day that is past.
  if (openInvoice.remindedAt === null) return { kind: 'remind', at: later(nextPayment, askAt) };
  return { kind: 'pause', at: pauseAt };
}

function earlier(a: Date, b: Date): Date {
  return b < a ? b : a;
}

function later(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}

/** Cancelled: nothing more is due. */
export function afterCancel(standing: Standing): Standing {
  return { ...standing, status: 'cancelled', nextPayment: null };
}
