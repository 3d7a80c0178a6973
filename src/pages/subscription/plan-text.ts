import type { PeriodUnit, SubscriptionPlan } from '../../../prisma/client/client.ts';
import {
  applyFreeStart,
  applyPayment,
  initialBillingState,
} from '../../domain/billing/subscription/billing-schedule.ts';
import {
  getInitialMoney,
  getRecurringMoney,
  toBillingTerms,
} from '../../domain/billing/subscription/billing-terms.ts';
import { fillText } from '../../language/fill-text.ts';
import { formatDate } from '../../language/format.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

const unitNames = { days: 'day', months: 'month', years: 'year' } as const satisfies Record<
  PeriodUnit,
  string
>;

/** Returns the interval, such as `every month` or `every 3 months`. */
export function intervalText(i18n: PageI18n, interval: { unit: PeriodUnit; count: number }): string {
  const { intervals } = i18n.strings.subscription;
  if (interval.count === 1) return intervals[interval.unit];
  const text = new Intl.NumberFormat(i18n.locale, {
    style: 'unit',
    unit: unitNames[interval.unit],
    unitDisplay: 'long',
  }).format(interval.count);
  return fillText(intervals.multiple, { interval: text });
}

/** Returns a date in UTC, like all dates of subscriptions. */
export function dayText(i18n: PageI18n, time: Date): Html {
  return html`<time datetime="${time.toISOString()}">${formatDate(i18n.locale, time)}</time>`;
}

function endText(terms: PageI18n['strings']['subscription']['terms'], count: number | null): Html | string {
  if (count === null) return terms.renews;
  return count === 1 ? terms.endsAfterOne : fill(terms.endsAfterCount, { count: String(count) });
}

/** Lists the terms of a plan: the amount due today, the next payment, the interval and the end. */
export function planSummary(i18n: PageI18n, plan: SubscriptionPlan, now: Date): Html {
  const { terms } = i18n.strings.subscription;
  const billingTerms = toBillingTerms(plan);
  const dueToday = getInitialMoney(plan);
  const isFree = dueToday.minor === 0n;
  const payment = { at: now, isIntroductory: false };
  const billingState = isFree
    ? applyFreeStart(billingTerms, now)
    : applyPayment(initialBillingState, billingTerms, payment);
  const recurringAmount = amount(i18n, getRecurringMoney(plan));
  const next = billingState?.nextPayment;
  const { numPayments } = plan;
  const isLast =
    numPayments !== null && billingState !== undefined && billingState.numPaymentsComplete + 1 >= numPayments;
  const lines = [
    isFree ? terms.nothingDueToday : fill(terms.dueToday, { amount: amount(i18n, dueToday) }),
    next && fill(terms.nextPayment, { amount: recurringAmount, date: dayText(i18n, next) }),
    next &&
      !isLast &&
      fill(terms.recurring, {
        amount: recurringAmount,
        interval: intervalText(i18n, billingTerms.recurring),
      }),
    endText(terms, numPayments),
    next && terms.notAutomatic,
  ];
  return html`<ul class="terms">${lines.map((line) => line && html`<li>${line}</li>`)}</ul>`;
}
