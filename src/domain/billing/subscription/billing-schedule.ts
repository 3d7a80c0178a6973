import type { SubscriptionStatus } from '../../../../prisma/client/client.ts';
import type { MerchantTime } from '../../../kit/clock.ts';
import { addDays, addInterval, getDayOfMonth, type Interval } from './calendar.ts';

/** What of a plan decides when something happens. */
export type BillingTerms = {
  recurring: Interval;
  /** Between the first and the second payment. */
  initial: Interval;
  /** Null: until cancelled. */
  numPayments: number | null;
  invoiceNoticeDays: number;
  graceDays: number;
};

/** Where a subscription stands. `activeUntil` is null until it has begun; paused is inactive with an `activeUntil`. */
export type BillingState = {
  status: SubscriptionStatus;
  numPaymentsComplete: number;
  activeUntil: Date | null;
  nextPayment: Date | null;
  anchorDay: number | null;
  /** When it was last paid, or begun without payment. */
  paidAt: Date | null;
};

/** What is to be done at a time: ask for the next payment, remind of it, or pause. */
export type BillingAction = { kind: 'invoice' | 'remind' | 'pause'; at: Date };

export const initialBillingState: BillingState = {
  status: 'inactive',
  numPaymentsComplete: 0,
  activeUntil: null,
  nextPayment: null,
  anchorDay: null,
  paidAt: null,
};

/** That a charge completes. */
export type CompletedPayment = {
  at: Date;
  /** Of the first payment, at a price below the recurring one: it can begin a subscription, and pays for nothing else. */
  isIntroductory: boolean;
};

/**
 * Where a payment leads: the first one begins it; while active, `activeUntil` advances from where it was; after a pause,
 * from the payment, with a new anchor. Undefined for a surplus: it has ended, or is paid once more what the beginning
 * cost.
 */
export function applyPayment(
  state: BillingState,
  terms: BillingTerms,
  payment: CompletedPayment,
): BillingState | undefined {
  const { at, isIntroductory } = payment;
  if (state.status === 'completed' || state.status === 'cancelled') return undefined;
  if (isIntroductory && state.activeUntil !== null) return undefined;
  const interval = state.activeUntil === null ? terms.initial : terms.recurring;
  const advanced = advance(state, interval, at);
  const numPaymentsComplete = state.numPaymentsComplete + 1;
  const isFinal = terms.numPayments !== null && numPaymentsComplete >= terms.numPayments;
  return {
    ...advanced,
    numPaymentsComplete,
    paidAt: at,
    ...(isFinal && { status: 'completed', nextPayment: null }),
  };
}

/** Where a plan leads whose first payment is nothing: it begins at once, and no payment is counted. */
export function applyFreeStart(terms: BillingTerms, at: Date): BillingState {
  return { ...advance(initialBillingState, terms.initial, at), paidAt: at };
}

/** Nothing is paid beyond: later years, with days of grace on top, are none that a date is written with. */
const endOfTime = new Date(Date.UTC(9998, 0));

function advance(state: BillingState, interval: Interval, at: Date): BillingState {
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
    // Days lead to any day of the month, and months go on from there.
    anchorDay: interval.unit === 'days' ? getDayOfMonth(until) : anchor,
  };
}

/** Paused: inactive, with what it was due for unchanged. */
export function applyPause(state: BillingState): BillingState {
  return { ...state, status: 'inactive' };
}

/** When the days of grace are over; null where nothing is due. */
function getGraceEnd(state: BillingState, terms: BillingTerms): Date | null {
  if (state.status !== 'active' || state.nextPayment === null) return null;
  return addDays(state.nextPayment, terms.graceDays);
}

/** Whether the days of grace are over, also before the job has said so. */
export function isOverdue(state: BillingState, terms: BillingTerms, now: MerchantTime): boolean {
  const end = getGraceEnd(state, terms);
  return end !== null && end <= now;
}

/** How far the open invoice has come. One opened early, to pay ahead, asks like any other when it is due. */
export type OpenInvoiceState = { noticedAt: Date | null; remindedAt: Date | null };

/** What comes next by itself; null when nothing does until somebody pays. */
export function getNextAction(
  state: BillingState,
  terms: BillingTerms,
  openInvoice: OpenInvoiceState | null,
): BillingAction | null {
  const { nextPayment, paidAt } = state;
  const pauseAt = getGraceEnd(state, terms);
  if (nextPayment === null || pauseAt === null) return null;
  const invoiceAt = maxDate(addDays(nextPayment, -terms.invoiceNoticeDays), paidAt);
  if (openInvoice === null || openInvoice.noticedAt === null) return { kind: 'invoice', at: invoiceAt };
  // Where the grace is longer than the interval, what is paid late may lead to a day that is past.
  if (openInvoice.remindedAt === null) return { kind: 'remind', at: maxDate(nextPayment, invoiceAt) };
  return { kind: 'pause', at: pauseAt };
}

function minDate(a: Date, b: Date): Date {
  return b < a ? b : a;
}

function maxDate(a: Date, b: Date | null): Date {
  return b !== null && b > a ? b : a;
}

/** Cancelled: nothing more is due. */
export function applyCancellation(state: BillingState): BillingState {
  return { ...state, status: 'cancelled', nextPayment: null };
}
