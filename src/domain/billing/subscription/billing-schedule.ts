import type { SubscriptionStatus } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { addDays, addInterval, getDayOfMonth, type Interval } from './calendar.ts';

/** The plan terms that determine the schedule. */
export type BillingTerms = {
  recurring: Interval;
  /** The time from the first to the second payment. */
  initial: Interval;
  /** Null if the subscription continues until it is cancelled. */
  numPayments: number | null;
  invoiceNoticeDays: number;
  graceDays: number;
};

/**
 * `activeUntil` is null until the first payment or the free start. A subscription that is inactive and has an
 * `activeUntil` is paused.
 */
export type BillingState = {
  status: SubscriptionStatus;
  numPaymentsComplete: number;
  activeUntil: Date | null;
  nextPayment: Date | null;
  anchorDay: number | null;
  /** The time of the last payment or of a free start. */
  paidAt: Date | null;
  /** When the merchant paused the subscription; null while it is not paused by the merchant. */
  pausedAt: Date | null;
  /** When the merchant's pause ends; null if its end is open, or there is no such pause. */
  resumesAt: Date | null;
};

/** The next scheduled action: create or announce the next invoice, remind of it, pause or resume the subscription. */
export type BillingAction = { kind: 'invoice' | 'remind' | 'pause' | 'resume'; at: Date };

export const initialBillingState: BillingState = {
  status: 'inactive',
  numPaymentsComplete: 0,
  activeUntil: null,
  nextPayment: null,
  anchorDay: null,
  paidAt: null,
  pausedAt: null,
  resumesAt: null,
};

export type CompletedPayment = {
  at: Date;
  /** A first payment below the recurring price. It can only start a subscription, not renew it. */
  isIntroductory: boolean;
  /** The interval of the paid invoice, which may differ from that of a plan chosen later. */
  interval?: Interval | undefined;
};

/**
 * Returns the state after a payment. The first payment starts the subscription. While the subscription is
 * active, a payment extends `activeUntil`; after a missed payment, the new period starts at the payment, with a
 * new anchor day. A payment while the merchant has paused the subscription resumes it. Returns undefined if the
 * payment is a surplus, because the subscription has ended or an introductory payment is repeated.
 */
export function applyPayment(
  state: BillingState,
  terms: BillingTerms,
  payment: CompletedPayment,
): BillingState | undefined {
  const { at, isIntroductory } = payment;
  if (state.status === 'completed' || state.status === 'cancelled') return undefined;
  if (isIntroductory && state.activeUntil !== null) return undefined;
  const interval = payment.interval ?? (state.activeUntil === null ? terms.initial : terms.recurring);
  const nextState = startNextPeriod(
    state.pausedAt === null ? state : applyResumption(state, at),
    interval,
    at,
  );
  const numPaymentsComplete = state.numPaymentsComplete + 1;
  const isFinal = terms.numPayments !== null && numPaymentsComplete >= terms.numPayments;
  return {
    ...nextState,
    numPaymentsComplete,
    paidAt: at,
    ...(isFinal && { status: 'completed', nextPayment: null }),
  };
}

/**
 * Returns the state after the start of a plan whose first payment is free. The start does not count as a
 * payment.
 */
export function applyFreeStart(terms: BillingTerms, at: Date): BillingState {
  return { ...startNextPeriod(initialBillingState, terms.initial, at), paidAt: at };
}

/** The latest end of a paid period. Adding the grace period to a later date could exceed the year 9999. */
const endOfTime = new Date(Date.UTC(9998, 0));

function startNextPeriod(state: BillingState, interval: Interval, at: Date): BillingState {
  const { status, activeUntil, anchorDay } = state;
  const isContinuing = status === 'active' && activeUntil !== null && anchorDay !== null;
  const from = isContinuing ? activeUntil : at;
  const anchor = isContinuing ? anchorDay : getDayOfMonth(at);
  const until = minDate(addInterval(from, interval, anchor), endOfTime);
  return {
    ...state,
    status: 'active',
    activeUntil: until,
    nextPayment: until,
    // An interval in days can end on any day of the month. Later intervals in months end on that day.
    anchorDay: interval.unit === 'days' ? getDayOfMonth(until) : anchor,
  };
}

/** Returns the state after a missed payment. The due date does not change. */
export function applyPause(state: BillingState): BillingState {
  return { ...state, status: 'inactive' };
}

/** Returns the state after the merchant has paused a started subscription: no payment is due until it resumes. */
export function applyMerchantPause(
  state: BillingState,
  at: Date,
  resumesAt: Date | null = null,
): BillingState {
  return { ...state, status: 'inactive', nextPayment: null, pausedAt: at, resumesAt };
}

/** Returns whether the merchant's pause is over, even if the renewal job has not run yet. */
export function isResumptionDue({ resumesAt }: BillingState, now: MerchantTime): boolean {
  return resumesAt !== null && resumesAt <= now;
}

/**
 * Returns the state after the merchant's pause, which ends at `resumesAt` at the latest. The customer gets
 * the paid time back that was left at the pause. If none was left, the next payment is due immediately.
 */
export function applyResumption(state: BillingState, at: Date): BillingState {
  const { activeUntil, pausedAt, resumesAt } = state;
  const remainingMs = Math.max(0, activeUntil!.getTime() - pausedAt!.getTime());
  const end = resumesAt === null ? at : minDate(resumesAt, at);
  const until = minDate(new Date(end.getTime() + remainingMs), endOfTime);
  return {
    ...state,
    status: 'active',
    activeUntil: until,
    nextPayment: until,
    pausedAt: null,
    resumesAt: null,
    anchorDay: getDayOfMonth(until),
  };
}

/**
 * Returns the state after the next period of an active subscription was given for free, which does not count
 * as a payment.
 */
export function applySkip(state: BillingState, interval: Interval): BillingState {
  return startNextPeriod(state, interval, state.activeUntil!);
}

/** Returns the end of the period that starts with the next payment, if that is paid in time. */
export function getNextPeriodEnd({ nextPayment, anchorDay }: BillingState, interval: Interval): Date {
  const anchor = anchorDay ?? getDayOfMonth(nextPayment!);
  return minDate(addInterval(nextPayment!, interval, anchor), endOfTime);
}

/** Returns the end of the grace period of an active subscription, or null if no payment is scheduled. */
function getGraceEnd(state: BillingState, terms: BillingTerms): Date | null {
  if (state.status !== 'active' || state.nextPayment === null) return null;
  return addDays(state.nextPayment, terms.graceDays);
}

/** Returns whether the grace period is over, even if the renewal job has not run yet. */
export function isOverdue(state: BillingState, terms: BillingTerms, now: MerchantTime): boolean {
  const end = getGraceEnd(state, terms);
  return end !== null && end <= now;
}

/**
 * The notifications sent for the open invoice. An invoice that was created early, because the customer pays
 * ahead, has no `dueNotifiedAt` until the day on which it would have been created otherwise.
 */
export type OpenInvoiceState = { dueNotifiedAt: Date | null; remindedAt: Date | null };

/**
 * Returns the next automatic action: for an active subscription the next step toward its payment, and for one that
 * the merchant paused until a date, its resumption. Returns null for all others.
 */
export function getNextAction(
  state: BillingState,
  terms: BillingTerms,
  openInvoice: OpenInvoiceState | null,
): BillingAction | null {
  const { nextPayment, paidAt, resumesAt } = state;
  if (resumesAt !== null) return { kind: 'resume', at: resumesAt };
  const pauseAt = getGraceEnd(state, terms);
  if (nextPayment === null || pauseAt === null) return null;
  const invoiceAt = maxDate(addDays(nextPayment, -terms.invoiceNoticeDays), paidAt);
  if (openInvoice === null || openInvoice.dueNotifiedAt === null) return { kind: 'invoice', at: invoiceAt };
  // If the grace period exceeds the interval, a late payment may lead to a next payment in the past; the
  // reminder is then due immediately.
  if (openInvoice.remindedAt === null) return { kind: 'remind', at: maxDate(nextPayment, invoiceAt) };
  return { kind: 'pause', at: pauseAt };
}

function minDate(a: Date, b: Date): Date {
  return b < a ? b : a;
}

function maxDate(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}

/** Returns the state after a cancellation: no further payment is due. */
export function applyCancellation(state: BillingState): BillingState {
  return { ...state, status: 'cancelled', nextPayment: null, pausedAt: null, resumesAt: null };
}
