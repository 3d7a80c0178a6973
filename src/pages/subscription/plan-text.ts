import type { Merchant, SubscriptionPlan } from '../../../prisma/client/client.ts';
import {
  applyFreeStart,
  applyPayment,
  initialBillingState,
} from '../../domain/billing/subscription/billing-schedule.ts';
import { toBillingTerms } from '../../domain/billing/subscription/billing-terms.ts';
import { getInitialMoney, getRecurringMoney } from '../../domain/billing/subscription-plan/tax.ts';
import { formatDate } from '../../language/format.ts';
import { formatInterval } from '../../language/format-interval.ts';
import { formatTaxRate } from '../../language/format-tax-rate.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';

/** Dates of subscriptions are in the merchant's time zone. */
export function dayText(i18n: PageI18n, time: Date, { timeZone }: Pick<Merchant, 'timeZone'>): Html {
  return html`<time datetime="${time.toISOString()}">${formatDate(i18n.locale, time, timeZone)}</time>`;
}

function endText(terms: PageI18n['strings']['subscription']['terms'], count: number | null): Html | string {
  if (count === null) return terms.renews;
  return count === 1 ? terms.endsAfterOne : fill(terms.endsAfterCount, { count: String(count) });
}

/** Returns which tax the prices of a plan include, if any. */
export function taxText(i18n: PageI18n, { taxName, taxRate }: SubscriptionPlan): Html | undefined {
  if (taxName === null || taxRate === null) return undefined;
  return fill(i18n.strings.subscription.terms.tax, {
    tax: `${taxName} ${formatTaxRate(i18n.locale, taxRate)}`,
  });
}

export function planSummary(
  i18n: PageI18n,
  plan: SubscriptionPlan,
  { merchant, now, areInvoicesSent }: { merchant: Merchant; now: Date; areInvoicesSent: boolean },
): Html {
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
    next && fill(terms.nextPayment, { amount: recurringAmount, date: dayText(i18n, next, merchant) }),
    next &&
      !isLast &&
      fill(terms.recurring, {
        amount: recurringAmount,
        interval: formatInterval(i18n, billingTerms.recurring),
      }),
    endText(terms, numPayments),
    taxText(i18n, plan),
    next && (areInvoicesSent ? terms.notAutomatic : i18n.strings.mail.invoice.notAutomatic),
  ];
  return html`<ul class="terms">${lines.map((line) => line && html`<li>${line}</li>`)}</ul>`;
}
