import type { Invoice } from '../../../prisma/client/client.ts';
import { getRenewalMoney, toBillingTerms } from '../../domain/billing/subscription/billing-terms.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/get-pages.ts';
import {
  type CancellationChannel,
  canCancelImmediately,
} from '../../domain/billing/subscription/request-cancellation.ts';
import {
  isOngoing,
  isPaused,
  isPayable,
  isUnstarted,
} from '../../domain/billing/subscription/subscription-state.ts';
import { getDisplayName } from '../../kit/brand.ts';
import { fillText } from '../../language/fill-text.ts';
import { formatInterval } from '../../language/format-interval.ts';
import { amount, fill } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { contactLink } from '../parts/contact-link.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type MethodFormState, type PaymentOffer, toFormErrors, toMethodFormState } from '../parts/offer.ts';
import { backButton, merchantName, summary } from '../parts/summary.ts';
import { pendingChargeForm } from './pending-charge-form.ts';
import { dayText, taxText } from './plan-text.ts';

export type ManagePageOptions = {
  url: string;
  now: Date;
  /** Undefined if the subscription has ended or no method currently accepts the amount. */
  offer: PaymentOffer | undefined;
  formState?: MethodFormState | undefined;
  canSendEmail: boolean;
  cancellationChannel: CancellationChannel | undefined;
  getInvoiceUrl: (invoice: Invoice) => string;
  /** The key of the message about the action that the customer has just taken. */
  message?: keyof PageI18n['strings']['subscription']['confirmations'] | undefined;
  /** A valid token from the cancellation link. With it, the page asks the customer to confirm the cancellation. */
  confirmation?: string | undefined;
};

export function managePage(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: ManagePageOptions,
): PageContent {
  const { subscription, plan, merchant } = pageData;
  const { subscription: strings } = i18n.strings;
  const { message, formState } = options;
  const errors = options.offer ? toFormErrors(formState) : [];
  const main = html`<div class="columns">
${summary(i18n, {
  merchant,
  money: getRenewalMoney(pageData),
  eyebrow: fill(strings.manageTitle, { plan: plan.name, merchant: merchantName(merchant) }),
  below: html`<p>${formatInterval(i18n, toBillingTerms(plan).recurring)}</p>${getTaxLine(i18n, pageData)}<p><strong>${statusText(i18n, pageData)}</strong></p>`,
  orders: undefined,
})}
<section class="panel">
<h2>${strings.manage}</h2>
${message && html`<p class="aside" role="status">${strings.confirmations[message]}</p>`}
${errorSummary(i18n, errors)}
${options.confirmation !== undefined && isOngoing(subscription) && confirmForm(i18n, options, options.confirmation)}
${isPayable(subscription) && pendingChargeForm(i18n, pageData, options)}
${options.offer && payForm(i18n, pageData, options, options.offer)}
${invoiceList(i18n, pageData, options)}
${isOngoing(subscription) && html`${remindersForm(i18n, pageData, options)}${cancelForm(i18n, pageData, options)}`}
${backButton(i18n, { merchant, redirectUrl: subscription.redirectUrl })}
</section>
</div>`;
  const title = fillText(strings.manageTitle, { plan: plan.name, merchant: getDisplayName(merchant) });
  return {
    status: 200,
    title: formTitle(i18n, title, errors),
    main,
    now: options.now,
    merchant,
    mode: plan.mode,
    demo: merchant.demo,
  };
}

function getTaxLine(i18n: PageI18n, { plan }: SubscriptionPage): Html | undefined {
  const text = taxText(i18n, plan);
  return text && html`<p class="hint">${text}</p>`;
}

function statusText(i18n: PageI18n, { subscription, merchant }: SubscriptionPage): Html | string {
  const { status } = i18n.strings.subscription;
  const { nextPayment, activeUntil, pausedAt, resumesAt } = subscription;
  if (isUnstarted(subscription)) return status.unstarted;
  if (resumesAt !== null) return fill(status.pausedUntil, { date: dayText(i18n, resumesAt, merchant) });
  if (pausedAt !== null) return status.pausedByMerchant;
  if (isPaused(subscription)) return status.paused;
  if (subscription.status === 'completed') return status.completed;
  if (subscription.status === 'cancelled' || nextPayment === null) {
    return activeUntil === null
      ? status.cancelled
      : fill(status.cancelledUntil, { date: dayText(i18n, activeUntil, merchant) });
  }
  return fill(status.active, { date: dayText(i18n, nextPayment, merchant) });
}

/** The customer chooses a method, either to pay now or for future payments. */
function payForm(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: ManagePageOptions,
  offer: PaymentOffer,
): Html {
  const strings = i18n.strings.subscription;
  const formState = options.formState ?? toMethodFormState(pageData.subscription.method);
  const payText = pageData.subscription.status === 'active' ? strings.payNextPeriod : strings.payToResume;
  return html`<form method="post" novalidate action="${options.url}">
${methodChoice(i18n, offer, formState)}
<button type="submit" class="button" name="do" value="pay">${payText}</button>
<p class="hint">${i18n.strings.choose.nextHint}</p>
<button type="submit" class="button secondary" name="do" value="method">${strings.changeMethod}</button>
<p class="hint">${strings.changeMethodHint}</p>
</form>`;
}

function invoiceList(
  i18n: PageI18n,
  { invoices, merchant }: SubscriptionPage,
  options: ManagePageOptions,
): Html | undefined {
  const { invoice: strings, invoices: heading } = i18n.strings.subscription;
  if (invoices.length === 0) return undefined;
  return html`<h2>${heading}</h2><ul class="invoices">${invoices.map((invoice) => {
    const name = fillText(strings.name, { number: String(invoice.number) });
    const money = { minor: invoice.amount, currency: invoice.currency };
    return html`<li><a href="${options.getInvoiceUrl(invoice)}">${name}</a> ${dayText(i18n, invoice.dueAt, merchant)}
${amount(i18n, money)} <small>${strings.status[invoice.status]}</small></li>`;
  })}</ul>`;
}

function remindersForm(
  i18n: PageI18n,
  { subscription, plan }: SubscriptionPage,
  options: ManagePageOptions,
): Html | undefined {
  const { reminders: strings, bookmark } = i18n.strings.subscription;
  if (!plan.sendEmail) return undefined;
  if (!options.canSendEmail || subscription.email === null) return html`<p class="hint">${bookmark}</p>`;
  const { remindersDisabled } = subscription;
  return html`<form method="post" novalidate action="${options.url}" id="reminders">
<p class="hint">${remindersDisabled ? strings.disabled : strings.enabled}</p>
<button type="submit" class="button secondary" name="do" value="${remindersDisabled ? 'reminders-on' : 'reminders-off'}">${remindersDisabled ? strings.enable : strings.disable}</button>
</form>`;
}

/**
 * After a payment, even a partial one, the customer must confirm the cancellation by a link from an email or SMS,
 * because the URL of this page may have been forwarded.
 */
function cancelForm(i18n: PageI18n, pageData: SubscriptionPage, options: ManagePageOptions): Html {
  const { subscription, plan, pendingCharges: pending, merchant } = pageData;
  const strings = i18n.strings.subscription.cancel;
  const channelTexts = {
    immediate: [strings.textUnstarted, strings.confirm],
    email: [strings.text, strings.submit],
    sms: [strings.textBySms, strings.submitBySms],
    none: [strings.askShop],
  } as const;
  const channel = options.cancellationChannel ?? 'none';
  const [text, submit] = channelTexts[canCancelImmediately(subscription, pending) ? 'immediate' : channel];
  return html`<details class="cancel"${options.message === 'cancelLinkExpired' && html` open`}><summary>${strings.summary}</summary>
<p>${text}</p>
${submit && html`<form method="post" novalidate action="${options.url}"><button type="submit" class="danger" name="do" value="cancel">${submit}</button></form>`}
${submit === undefined && contactLink(i18n, { merchant, subject: `${strings.summary}: ${plan.name}` })}
</details>`;
}

function confirmForm(i18n: PageI18n, options: ManagePageOptions, confirmation: string): Html {
  const strings = i18n.strings.subscription.cancel;
  return html`<form method="post" novalidate action="${options.url}" class="aside">
<h2>${strings.confirmTitle}</h2><p>${strings.confirmText}</p>
<input type="hidden" name="confirmation" value="${confirmation}">
<button type="submit" class="danger" name="do" value="confirm">${strings.confirm}</button>
</form>`;
}
