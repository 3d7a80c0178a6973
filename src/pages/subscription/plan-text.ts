import type { PeriodUnit, SubscriptionPlan } from '../../../prisma/client/client.ts';
import {
  applyFreeStart,
  applyPayment,
  initialBillingState,
} from '../../domain/billing/subscription/billing-schedule.ts';
import { initialMoney, recurringMoney, toTerms } from '../../domain/billing/subscription/terms.ts';
import { amount, fill, fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

const unitNames = { days: 'day', months: 'month', years: 'year' } as const satisfies Record<
  PeriodUnit,
  string
>;

/** `every month`, `every 3 months`. */
export function everyText(i18n: PageI18n, interval: { unit: PeriodUnit; count: number }): string {
  const { every } = i18n.strings.subscription;
  if (interval.count === 1) return every[interval.unit];
  const text = new Intl.NumberFormat(i18n.locale, {
    style: 'unit',
    unit: unitNames[interval.unit],
    unitDisplay: 'long',
  }).format(interval.count);
  return fillText(every.several, { interval: text });
}

/** Returns a date in UTC, like all dates of subscriptions. */
export function dayText(i18n: PageI18n, time: Date): Html {
  const text = new Intl.DateTimeFormat(i18n.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  return html`<time datetime="${time.toISOString()}">${text}</time>`;
}

function untilText(terms: PageI18n['strings']['subscription']['terms'], count: number | null): Html | string {
  if (count === null) return terms.untilCancelled;
  return count === 1 ? terms.untilOne : fill(terms.untilCount, { count: String(count) });
}

/** Describes a plan: the amount due today, the next payments, the interval, their number and the end. */
export function planSummary(i18n: PageI18n, plan: SubscriptionPlan, now: Date): Html {
  const { terms } = i18n.strings.subscription;
  const billingTerms = toTerms(plan);
  const dueToday = initialMoney(plan);
  const isFree = dueToday.minor === 0n;
  const payment = { at: now, isIntroductory: false };
  const billingState = isFree
    ? applyFreeStart(billingTerms, now)
    : applyPayment(initialBillingState, billingTerms, payment);
  const recurringAmount = amount(i18n, recurringMoney(plan));
  const next = billingState?.nextPayment;
  const { numPayments } = plan;
  const isLast =
    numPayments !== null && billingState !== undefined && billingState.numPaymentsComplete + 1 >= numPayments;
  const lines = [
    isFree ? terms.todayNothing : fill(terms.today, { amount: amount(i18n, dueToday) }),
    next && fill(terms.next, { amount: recurringAmount, date: dayText(i18n, next) }),
    next &&
      !isLast &&
      fill(terms.afterwards, { amount: recurringAmount, every: everyText(i18n, billingTerms.recurring) }),
    untilText(terms, numPayments),
    next && terms.nothingByItself,
  ];
  return html`<ul class="terms">${lines.map((line) => line && html`<li>${line}</li>`)}</ul>`;
}
