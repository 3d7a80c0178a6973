import type { Invoice } from '../../../prisma/client/client.ts';
import {
  cancellationChannel,
  cancelsAtOnce,
} from '../../domain/billing/subscription/cancellation-channel.ts';
import type { SubscriptionPage } from '../../domain/billing/subscription/open-pages.ts';
import { isOngoing, isPaused, isUnstarted } from '../../domain/billing/subscription/subscription-state.ts';
import { recurringMoney, termsOf } from '../../domain/billing/subscription/terms.ts';
import { amount, fill, fillText } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { Page } from '../layout.ts';
import { faultList, formTitle } from '../parts/faults.ts';
import { methodChoice } from '../parts/method-choice.ts';
import { type ChooseInput, faultsOf, methodInput, type Offer } from '../parts/offer.ts';
import { backButton, merchantName, summary } from '../parts/summary.ts';
import type { Reader } from '../reader.ts';
import { pendingWay } from './pending-way.ts';
import { dayText, everyText } from './words.ts';

export type ManageShown = {
  address: string;
  now: Date;
  /** Undefined where it has ended, or no method can take it just now. */
  offer: Offer | undefined;
  input?: ChooseInput | undefined;
  invoiceAddress: (invoice: Invoice) => string;
  /** What the page has just done, or could not do. */
  said?: keyof Reader['strings']['subscription']['said'] | undefined;
  /** Proves that the customer reads their mail or SMS: then the page cancels. */
  confirmation?: string | undefined;
};

/** The customer's own page: how it stands, past invoices, pay now, change method, reminders, cancel. */
export function managePage(reader: Reader, opened: SubscriptionPage, shown: ManageShown): Page {
  const { subscription, plan, merchant } = opened;
  const { subscription: words } = reader.strings;
  const { said, input } = shown;
  const faults = shown.offer ? faultsOf(input) : [];
  const main = html`<div class="columns">
${summary(reader, {
  merchant,
  money: recurringMoney(plan),
  eyebrow: fill(words.planOf, { plan: plan.name, merchant: merchantName(merchant) }),
  below: html`<p>${everyText(reader, termsOf(plan).recurring)}</p><p><strong>${statusText(reader, opened)}</strong></p>`,
  orders: undefined,
})}
<section class="panel">
${said && html`<p class="aside" role="status">${words.said[said]}</p>`}
${faultList(reader, faults)}
${shown.confirmation !== undefined && isOngoing(subscription) && confirmForm(reader, shown, shown.confirmation)}
${isOngoing(subscription) && pendingWay(reader, opened, shown)}
${shown.offer && payForm(reader, opened, shown, shown.offer)}
${invoiceList(reader, opened, shown)}
${isOngoing(subscription) && html`${remindersForm(reader, opened, shown)}${cancelForm(reader, opened, shown)}`}
${backButton(reader, { merchant, redirectUrl: subscription.redirectUrl })}
</section>
</div>`;
  const title = fillText(words.planOf, { plan: plan.name, merchant: merchant.name });
  return {
    status: 200,
    title: formTitle(reader, title, faults),
    main,
    now: shown.now,
    mode: plan.mode,
    demo: merchant.demo,
  };
}

function statusText(reader: Reader, { subscription }: SubscriptionPage): Html | string {
  const { status } = reader.strings.subscription;
  const { nextPayment, activeUntil } = subscription;
  if (isUnstarted(subscription)) return status.unstarted;
  if (isPaused(subscription)) return status.paused;
  if (subscription.status === 'completed') return status.completed;
  if (subscription.status === 'cancelled' || nextPayment === null) {
    return activeUntil === null
      ? status.cancelled
      : fill(status.cancelledUntil, { date: dayText(reader, activeUntil) });
  }
  return fill(status.active, { date: dayText(reader, nextPayment) });
}

/** One choice of a method, for paying now or from now on. */
function payForm(reader: Reader, opened: SubscriptionPage, shown: ManageShown, offer: Offer): Html {
  const words = reader.strings.subscription;
  const input = shown.input ?? methodInput(opened.subscription.method);
  const payText = opened.subscription.status === 'active' ? words.payNow : words.payToGoOn;
  return html`<form method="post" action="${shown.address}">
${methodChoice(reader, offer, input)}
<button type="submit" class="button" name="do" value="pay">${payText}</button>
<button type="submit" class="button quiet" name="do" value="method">${words.changeMethod}</button>
</form>`;
}

function invoiceList(reader: Reader, { invoices }: SubscriptionPage, shown: ManageShown): Html | undefined {
  const { invoice: words, invoices: heading } = reader.strings.subscription;
  if (invoices.length === 0) return undefined;
  return html`<h2>${heading}</h2><ul class="invoices">${invoices.map((invoice) => {
    const name = fillText(words.name, { number: String(invoice.number) });
    const money = { minor: invoice.amount, currency: invoice.currency };
    return html`<li><a href="${shown.invoiceAddress(invoice)}">${name}</a> ${dayText(reader, invoice.dueOn)}
${amount(reader, money)} <small>${words.status[invoice.status]}</small></li>`;
  })}</ul>`;
}

function remindersForm(
  reader: Reader,
  { subscription, plan }: SubscriptionPage,
  shown: ManageShown,
): Html | undefined {
  const words = reader.strings.subscription.reminders;
  if (!plan.sendEmail) return undefined;
  const { remindersOff } = subscription;
  return html`<form method="post" action="${shown.address}" id="reminders">
<p class="hint">${remindersOff ? words.areOff : words.areOn}</p>
<button type="submit" class="button quiet" name="do" value="${remindersOff ? 'reminders-on' : 'reminders-off'}">${remindersOff ? words.on : words.off}</button>
</form>`;
}

/** Once something was paid, a mail or SMS with a link asks again: a forwarded link to this page must not be enough. */
function cancelForm(reader: Reader, opened: SubscriptionPage, shown: ManageShown): Html {
  const { subscription, pending, merchant } = opened;
  const words = reader.strings.subscription.cancel;
  const ways = {
    atOnce: [words.textUnpaid, words.confirm],
    email: [words.text, words.submit],
    sms: [words.textBySms, words.submitBySms],
    none: [words.noAddress],
  } as const;
  const channel = cancellationChannel(subscription, merchant) ?? 'none';
  const [text, submit] = ways[cancelsAtOnce(subscription, pending) ? 'atOnce' : channel];
  return html`<details class="cancel"${shown.said === 'confirmationEnded' && html` open`}><summary>${words.summary}</summary>
<p>${text}</p>
${submit && html`<form method="post" action="${shown.address}"><button type="submit" class="danger" name="do" value="cancel">${submit}</button></form>`}
</details>`;
}

function confirmForm(reader: Reader, shown: ManageShown, confirmation: string): Html {
  const words = reader.strings.subscription.cancel;
  return html`<form method="post" action="${shown.address}" class="aside">
<h2>${words.confirmTitle}</h2><p>${words.confirmText}</p>
<input type="hidden" name="confirmation" value="${confirmation}">
<button type="submit" class="danger" name="do" value="confirm">${words.confirm}</button>
</form>`;
}
