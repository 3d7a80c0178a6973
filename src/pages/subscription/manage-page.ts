import type { Invoice } from '../../../prisma/client/client.ts';
import {
  canCancelImmediately,
  getCancellationChannel,
} from '../../domain/billing/subscription/cancellation-channel.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { isOngoing, isPaused, isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { recurringMoney, toTerms } from '../../domain/billing/subscription/terms.ts';
import { amount, fill, fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { PageI18n } from '../i18n.ts';
import type { PageContent } from '../layout.ts';
import { errorSummary, formTitle } from '../parts/error-summary.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type ChooseInput, type PaymentOffer, toFormErrors, toMethodInput } from '../parts/offer.ts';
import { backButton, merchantName, summary } from '../parts/summary.ts';
import { pendingChargeForm } from './pending-charge-form.ts';
import { dayText, everyText } from './plan-text.ts';

export type ManagePageOptions = {
  address: string;
  now: Date;
  /** Undefined if the subscription has ended or no method currently accepts the amount. */
  offer: PaymentOffer | undefined;
  input?: ChooseInput | undefined;
  invoiceAddress: (invoice: Invoice) => string;
  /** The key of the message about the action that the page has just run. */
  message?: keyof PageI18n['strings']['subscription']['said'] | undefined;
  /** A token from the customer's mail or SMS. With it, the page cancels the subscription. */
  confirmation?: string | undefined;
};

/** Renders the customer's page of a subscription: state, past invoices, pay now, change method, reminders, cancel. */
export function managePage(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: ManagePageOptions,
): PageContent {
  const { subscription, plan, merchant } = pageData;
  const { subscription: strings } = i18n.strings;
  const { message, input } = options;
  const errors = options.offer ? toFormErrors(input) : [];
  const main = html`<div class="columns">
${summary(i18n, {
  merchant,
  money: recurringMoney(plan),
  eyebrow: fill(strings.planOf, { plan: plan.name, merchant: merchantName(merchant) }),
  below: html`<p>${everyText(i18n, toTerms(plan).recurring)}</p><p><strong>${statusText(i18n, pageData)}</strong></p>`,
  orders: undefined,
})}
<section class="panel">
${message && html`<p class="aside" role="status">${strings.said[message]}</p>`}
${errorSummary(i18n, errors)}
${options.confirmation !== undefined && isOngoing(subscription) && confirmForm(i18n, options, options.confirmation)}
${isOngoing(subscription) && pendingChargeForm(i18n, pageData, options)}
${options.offer && payForm(i18n, pageData, options, options.offer)}
${invoiceList(i18n, pageData, options)}
${isOngoing(subscription) && html`${remindersForm(i18n, pageData, options)}${cancelForm(i18n, pageData, options)}`}
${backButton(i18n, { merchant, redirectUrl: subscription.redirectUrl })}
</section>
</div>`;
  const title = fillText(strings.planOf, { plan: plan.name, merchant: merchant.name });
  return {
    status: 200,
    title: formTitle(i18n, title, errors),
    main,
    now: options.now,
    mode: plan.mode,
    demo: merchant.demo,
  };
}

function statusText(i18n: PageI18n, { subscription }: SubscriptionPage): Html | string {
  const { status } = i18n.strings.subscription;
  const { nextPayment, activeUntil } = subscription;
  if (isUnstarted(subscription)) return status.unstarted;
  if (isPaused(subscription)) return status.paused;
  if (subscription.status === 'completed') return status.completed;
  if (subscription.status === 'cancelled' || nextPayment === null) {
    return activeUntil === null
      ? status.cancelled
      : fill(status.cancelledUntil, { date: dayText(i18n, activeUntil) });
  }
  return fill(status.active, { date: dayText(i18n, nextPayment) });
}

/** Renders the choice of a method, to pay now or for future payments. */
function payForm(
  i18n: PageI18n,
  pageData: SubscriptionPage,
  options: ManagePageOptions,
  offer: PaymentOffer,
): Html {
  const strings = i18n.strings.subscription;
  const input = options.input ?? toMethodInput(pageData.subscription.method);
  const payText = pageData.subscription.status === 'active' ? strings.payNow : strings.payToGoOn;
  return html`<form method="post" action="${options.address}">
${methodChoice(i18n, offer, input)}
<button type="submit" class="button" name="do" value="pay">${payText}</button>
<button type="submit" class="button quiet" name="do" value="method">${strings.changeMethod}</button>
</form>`;
}

function invoiceList(
  i18n: PageI18n,
  { invoices }: SubscriptionPage,
  options: ManagePageOptions,
): Html | undefined {
  const { invoice: strings, invoices: heading } = i18n.strings.subscription;
  if (invoices.length === 0) return undefined;
  return html`<h2>${heading}</h2><ul class="invoices">${invoices.map((invoice) => {
    const name = fillText(strings.name, { number: String(invoice.number) });
    const money = { minor: invoice.amount, currency: invoice.currency };
    return html`<li><a href="${options.invoiceAddress(invoice)}">${name}</a> ${dayText(i18n, invoice.dueOn)}
${amount(i18n, money)} <small>${strings.status[invoice.status]}</small></li>`;
  })}</ul>`;
}

function remindersForm(
  i18n: PageI18n,
  { subscription, plan }: SubscriptionPage,
  options: ManagePageOptions,
): Html | undefined {
  const strings = i18n.strings.subscription.reminders;
  if (!plan.sendEmail) return undefined;
  const { remindersDisabled: remindersOff } = subscription;
  return html`<form method="post" action="${options.address}" id="reminders">
<p class="hint">${remindersOff ? strings.areOff : strings.areOn}</p>
<button type="submit" class="button quiet" name="do" value="${remindersOff ? 'reminders-on' : 'reminders-off'}">${remindersOff ? strings.on : strings.off}</button>
</form>`;
}

/**
 * After the first payment, cancelling needs a link from a mail or SMS, because this page's URL may have been
 * forwarded.
 */
function cancelForm(i18n: PageI18n, pageData: SubscriptionPage, options: ManagePageOptions): Html {
  const { subscription, pending, merchant } = pageData;
  const strings = i18n.strings.subscription.cancel;
  const channelTexts = {
    atOnce: [strings.textUnpaid, strings.confirm],
    email: [strings.text, strings.submit],
    sms: [strings.textBySms, strings.submitBySms],
    none: [strings.noAddress],
  } as const;
  const channel = getCancellationChannel(subscription, merchant) ?? 'none';
  const [text, submit] = channelTexts[canCancelImmediately(subscription, pending) ? 'atOnce' : channel];
  return html`<details class="cancel"${options.message === 'confirmationEnded' && html` open`}><summary>${strings.summary}</summary>
<p>${text}</p>
${submit && html`<form method="post" action="${options.address}"><button type="submit" class="danger" name="do" value="cancel">${submit}</button></form>`}
</details>`;
}

function confirmForm(i18n: PageI18n, options: ManagePageOptions, confirmation: string): Html {
  const strings = i18n.strings.subscription.cancel;
  return html`<form method="post" action="${options.address}" class="aside">
<h2>${strings.confirmTitle}</h2><p>${strings.confirmText}</p>
<input type="hidden" name="confirmation" value="${confirmation}">
<button type="submit" class="danger" name="do" value="confirm">${strings.confirm}</button>
</form>`;
}
