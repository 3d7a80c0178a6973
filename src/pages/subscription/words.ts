import type { PeriodUnit, SubscriptionPlan } from '../../../prisma/client/client.ts';
import { initialMoney, recurringMoney, termsOf } from '../../domain/billing/subscription/terms.ts';
import { afterFreeStart, afterPayment, unstarted } from '../../domain/billing/subscription/timeline.ts';
import { amount, fill, fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Reader } from '../reader.ts';

const unitNames = { days: 'day', months: 'month', years: 'year' } as const satisfies Record<
  PeriodUnit,
  string
>;

/** `every month`, `every 3 months`. */
export function everyText(reader: Reader, interval: { unit: PeriodUnit; count: number }): string {
  const { every } = reader.strings.subscription;
  if (interval.count === 1) return every[interval.unit];
  const text = new Intl.NumberFormat(reader.locale, {
    style: 'unit',
    unit: unitNames[interval.unit],
    unitDisplay: 'long',
  }).format(interval.count);
  return fillText(every.several, { interval: text });
}

/** A day, in UTC as all dates of subscriptions. */
export function dayText(reader: Reader, time: Date): Html {
  const text = new Intl.DateTimeFormat(reader.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);
  return html`<time datetime="${time.toISOString()}">${text}</time>`;
}

function untilText(terms: Reader['strings']['subscription']['terms'], count: number | null): Html | string {
  if (count === null) return terms.untilCancelled;
  return count === 1 ? terms.untilOne : fill(terms.untilCount, { count: String(count) });
}

/** A plan in plain words: what is paid now, when next, how much, how often, until when. */
export function planWords(reader: Reader, plan: SubscriptionPlan, now: Date): Html {
  const { terms } = reader.strings.subscription;
  const plainTerms = termsOf(plan);
  const today = initialMoney(plan);
  const isFree = today.minor === 0n;
  const payment = { at: now, isIntroductory: false };
  const begun = isFree ? afterFreeStart(plainTerms, now) : afterPayment(unstarted, plainTerms, payment);
  const each = amount(reader, recurringMoney(plan));
  const next = begun?.nextPayment;
  const { numPayments } = plan;
  const isLast = numPayments !== null && begun !== undefined && begun.numPaymentsComplete + 1 >= numPayments;
  const lines = [
    isFree ? terms.todayNothing : fill(terms.today, { amount: amount(reader, today) }),
    next && fill(terms.next, { amount: each, date: dayText(reader, next) }),
    next &&
      !isLast &&
      fill(terms.afterwards, { amount: each, every: everyText(reader, plainTerms.recurring) }),
    untilText(terms, numPayments),
    next && terms.nothingByItself,
  ];
  return html`<ul class="terms">${lines.map((line) => line && html`<li>${line}</li>`)}</ul>`;
}
